// The host allocator. Blocks are aligned to 64 bytes and come from, by size:
//   <= 1 KiB    a cache per thread with steps of 64 bytes (also serves TensorImpl and StorageImpl);
//   <= 64 KiB   the same cache with powers of two;
//   < 1 MiB     the C library;
//   above       the system, with huge pages from 2 MiB on; freed blocks are kept for reuse up to kLargeCacheBytes,
//               because touching fresh pages costs more than most kernels that fill them.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/macros/Macros.h>

#include <cstddef>

namespace c10::inline C10_ABI {

constexpr size_t kCPUAlignment = 64;
constexpr size_t kLargeCacheBytes = size_t{256} << 20;
// More than any machine's address space: such a request is an arithmetic mistake of the caller.
constexpr size_t kMaxAllocationBytes = size_t{1} << 47;

C10_API Allocator* GetCPUAllocator();
/// Replaces the host allocator if `priority` is at least that of the present one.
C10_API void SetCPUAllocator(Allocator* allocator, uint8_t priority = 0);
/// The allocator described above, whatever SetCPUAllocator says.
C10_API Allocator* GetDefaultCPUAllocator();

/// Bytes of freed large blocks that are kept at this moment.
C10_API size_t cpu_allocator_cached_bytes();

namespace impl {

constexpr size_t kSmallBlockStep = 64;
constexpr size_t kSmallBlockMax = 1024;

/// A block of at least `nbytes` (at most kSmallBlockMax) for an object of the library; freed with the same size, by any
/// thread.
C10_API void* small_block_allocate(size_t nbytes);
C10_API void small_block_free(void* block, size_t nbytes) noexcept;

/// Gives a class operator new and delete from the small-block cache.
#define C10_SMALL_BLOCK_ALLOCATED                                                                      \
  static void* operator new(size_t nbytes) { return ::c10::impl::small_block_allocate(nbytes); }       \
  static void operator delete(void* block, size_t nbytes) noexcept {                                   \
    ::c10::impl::small_block_free(block, nbytes);                                                      \
  }                                                                                                    \
  static void* operator new(size_t, void* place) noexcept { return place; }

}  // namespace impl
}  // namespace c10::inline C10_ABI
