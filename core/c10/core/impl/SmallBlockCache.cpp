// Creating, refilling and destroying the per-thread block caches.
#include <c10/core/impl/SmallBlockCache.h>

#include <c10/util/Exception.h>

#include <cstdlib>
#include <new>

namespace c10::inline C10_ABI {
namespace impl {

constinit ThreadCache no_cache;
constinit thread_local ThreadCache* thread_cache = &no_cache;

namespace {

// At most this many blocks, and this many bytes, of a class are kept by a thread: 3 MiB in all.
constexpr uint32_t kMaxBlocks = 128;
constexpr size_t kMaxBytes = size_t{256} << 10;

constexpr uint32_t list_capacity(unsigned block_class) {
  if (kExactBlocks) return 0;
  const size_t by_bytes = kMaxBytes / block_class_size(block_class);
  return by_bytes < kMaxBlocks ? static_cast<uint32_t>(by_bytes) : kMaxBlocks;
}

constinit thread_local bool thread_is_ending = false;

// Returns the blocks when the thread ends. What is freed after that goes to the C library directly.
struct CacheOwner {
  ~CacheOwner() {
    ThreadCache* cache = thread_cache;
    thread_is_ending = true;
    thread_cache = &no_cache;
    if (cache == &no_cache) return;
    for (FreeList& list : cache->lists) {
      while (list.head != nullptr) {
        void* block = list.head;
        list.head = *static_cast<void**>(block);
        std::free(block);
      }
    }
    std::free(cache);
  }
};

bool make_cache() noexcept {
  if (thread_is_ending) return false;
  void* memory = std::malloc(sizeof(ThreadCache));
  if (memory == nullptr) return false;
  ThreadCache* cache = ::new (memory) ThreadCache();
  for (unsigned c = 0; c < kBlockClasses; ++c) cache->lists[c].slots_left = list_capacity(c);
  thread_cache = cache;
  static thread_local CacheOwner owner;
  static_cast<void>(&owner);
  return true;
}

}  // namespace

void* block_allocate_slow(unsigned block_class) {
  if (thread_cache == &no_cache) make_cache();
  void* block = nullptr;
  const size_t nbytes = block_class_size(block_class);
  if (::posix_memalign(&block, kCPUAlignment, nbytes) != 0) {
    throw OutOfMemoryError(str("CPU allocator: cannot allocate ", nbytes, " bytes"));
  }
  return block;
}

void block_free_slow(void* block, unsigned block_class) noexcept {
  if (thread_cache == &no_cache && make_cache() && thread_cache->lists[block_class].slots_left != 0) {
    block_free(block, block_class);
    return;
  }
  std::free(block);
}

}  // namespace impl
}  // namespace c10::inline C10_ABI
