// The host allocator. Blocks are aligned to 64 bytes and come from, by size:
//   <= 1 KiB    a cache per thread with steps of 64 bytes (also serves TensorImpl and StorageImpl);
//   <= 64 KiB   the same cache with powers of two;
//   < 1 MiB     the C library;
//   above       the system, with huge pages from 2 MiB on; freed blocks are kept for reuse up to
//   kLargeCacheBytes,
//               because touching fresh pages costs more than most kernels that fill them.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/impl/SmallBlockCache.h>
#include <c10/macros/Macros.h>

#include <atomic>
#include <cstddef>

namespace c10::inline C10_ABI {

constexpr size_t kLargeCacheBytes = size_t{256} << 20;
// More than any machine's address space: such a size is a mistake of the caller.
constexpr size_t kMaxAllocationBytes = size_t{1} << 47;

C10_API Allocator* GetCPUAllocator();
/// Replaces the host allocator if `priority` is at least the present one's.
C10_API void SetCPUAllocator(Allocator* allocator, uint8_t priority = 0);
/// The allocator described above, even where SetCPUAllocator replaced it.
C10_API Allocator* GetDefaultCPUAllocator();

/// Bytes of freed large blocks that are currently cached.
C10_API size_t cpu_allocator_cached_bytes();

namespace impl {

/// The default allocator if GetCPUAllocator() returns it, else null: small blocks may then be taken directly.
extern C10_API constinit std::atomic<Allocator*> small_block_allocator;

// The deleter of each size class: a deleter gets only a pointer.
extern C10_API const DeleterFnPtr block_deleters[kBlockClasses];

/// The default allocator for 1 <= nbytes <= kMediumBlockMax.
inline DataPtr small_data_allocate(size_t nbytes) {
  if (kExactBlocks) return GetDefaultCPUAllocator()->allocate(nbytes);
  const unsigned block_class = block_class_of(nbytes);
  void* block = block_allocate(block_class);
  return DataPtr(block, block, block_deleters[block_class], Device(DeviceType::CPU));
}

}  // namespace impl
}  // namespace c10::inline C10_ABI
