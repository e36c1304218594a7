// The per-thread cache of small and medium blocks, used by the host allocator and for TensorImpl, StorageImpl
// and the like.
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>

namespace c10::inline C10_ABI {

constexpr size_t kCPUAlignment = 64;

// Under AddressSanitizer every block comes from the C library in the requested size, so that the sanitizer
// sees out-of-bounds accesses and uses after free.
#if defined(C10_ADDRESS_SANITIZER)
inline constexpr bool kExactBlocks = true;
#else
inline constexpr bool kExactBlocks = false;
#endif

namespace impl {

constexpr size_t kSmallBlockStep = 64;
constexpr size_t kSmallBlockMax = 1024;

// Classes 0..15 hold blocks of 64, 128, ... 1024 bytes, classes 16..21 of 2, 4, ... 64 KiB.
constexpr unsigned kSmallClasses = kSmallBlockMax / kSmallBlockStep;
constexpr unsigned kMediumClasses = 6;
constexpr unsigned kBlockClasses = kSmallClasses + kMediumClasses;
constexpr size_t kMediumBlockMax = kSmallBlockMax << kMediumClasses;

constexpr unsigned block_class_of(size_t nbytes) {
  if (nbytes <= kSmallBlockMax) {
    return nbytes == 0 ? 0 : static_cast<unsigned>((nbytes - 1) / kSmallBlockStep);
  }
  unsigned block_class = kSmallClasses;
  for (size_t size = 2 * kSmallBlockMax; size < nbytes; size *= 2) ++block_class;
  return block_class;
}
constexpr size_t block_class_size(unsigned block_class) {
  return block_class < kSmallClasses ? (block_class + 1) * kSmallBlockStep
                                     : kSmallBlockMax << (block_class - kSmallClasses + 1);
}

// Free blocks of one class, linked through their first word.
struct FreeList {
  void* head = nullptr;
  uint32_t slots_left = 0;  // how many more blocks may be cached
};
struct ThreadCache {
  FreeList lists[kBlockClasses];
};

// The cache of a thread that has none (not yet, or no more): empty and without capacity.
extern ThreadCache no_cache;
extern C10_API constinit thread_local ThreadCache* thread_cache;

C10_API C10_COLD void* block_allocate_slow(unsigned block_class);
C10_API C10_COLD void block_free_slow(void* block, unsigned block_class) noexcept;

inline void* block_allocate(unsigned block_class) {
  FreeList& list = thread_cache->lists[block_class];
  void* block = list.head;
  if (C10_UNLIKELY(block == nullptr)) return block_allocate_slow(block_class);
  list.head = *static_cast<void**>(block);
  ++list.slots_left;
  return block;
}

inline void block_free(void* block, unsigned block_class) noexcept {
  FreeList& list = thread_cache->lists[block_class];
  if (C10_UNLIKELY(list.slots_left == 0)) {
    block_free_slow(block, block_class);
    return;
  }
  *static_cast<void**>(block) = list.head;
  list.head = block;
  --list.slots_left;
}

/// A block of at least `nbytes` (at most kMediumBlockMax), aligned to kCPUAlignment; freed with the same
/// size, by any thread.
inline void* small_block_allocate(size_t nbytes) { return block_allocate(block_class_of(nbytes)); }
inline void small_block_free(void* block, size_t nbytes) noexcept {
  block_free(block, block_class_of(nbytes));
}

/// Defines a class's operator new and delete with the cache.
#define C10_SMALL_BLOCK_ALLOCATED                                                                \
  static void* operator new(size_t nbytes) { return ::c10::impl::small_block_allocate(nbytes); } \
  static void operator delete(void* block, size_t nbytes) noexcept {                             \
    ::c10::impl::small_block_free(block, nbytes);                                                \
  }                                                                                              \
  static void* operator new(size_t, void* place) noexcept { return place; }

}  // namespace impl
}  // namespace c10::inline C10_ABI
