// Large blocks: mapped with huge pages, kept for reuse when freed.
#include <c10/core/impl/LargeBlockCache.h>

#include <c10/core/CPUAllocator.h>

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <mutex>

namespace c10::inline C10_ABI {
namespace impl {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kGranularity = size_t{64} << 10;

constexpr size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

void unmap(void* base, size_t nbytes) noexcept {
  if (nbytes != 0) ::munmap(base, nbytes);
}

void* map_aligned(size_t nbytes, size_t alignment) {
  void* raw = ::mmap(nullptr, nbytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(raw);
  char* const base = reinterpret_cast<char*>(round_up(reinterpret_cast<uintptr_t>(begin), alignment));
  unmap(begin, static_cast<size_t>(base - begin));
  unmap(base + nbytes, alignment - static_cast<size_t>(base - begin));
  return base;
}

void* map(size_t nbytes) {
  if (nbytes < kHugePage) {
    void* base = ::mmap(nullptr, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base == MAP_FAILED ? nullptr : base;
  }
  void* base = map_aligned(nbytes, kHugePage);
#if defined(MADV_HUGEPAGE)
  if (base != nullptr) ::madvise(base, nbytes, MADV_HUGEPAGE);
#endif
  return base;
}

// Freed blocks, oldest first. They are few and large, so a linear search is cheap.
class Cache {
 public:
  // A cached block that fits with at most an eighth wasted; base is null if there is none.
  LargeBlock take(size_t nbytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    size_t best = count_;
    for (size_t i = 0; i < count_; ++i) {
      const size_t size = blocks_[i].nbytes;
      if (size < nbytes || size - nbytes > nbytes / 8) continue;
      if (best == count_ || size <= blocks_[best].nbytes) best = i;
    }
    return best == count_ ? LargeBlock{} : remove(best);
  }

  void put(LargeBlock block) noexcept {
    if (block.nbytes > kLargeCacheBytes) {
      unmap(block.base, block.nbytes);
      return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    while (count_ == kMaxBlocks || total_ + block.nbytes > kLargeCacheBytes) drop_oldest();
    blocks_[count_++] = block;
    total_ += block.nbytes;
  }

  void clear() noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    while (count_ != 0) drop_oldest();
  }

  // Held around a fork, so that the child doesn't inherit a mutex locked by a thread it doesn't have.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  size_t total() noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    return total_;
  }

 private:
  static constexpr size_t kMaxBlocks = 128;

  LargeBlock remove(size_t i) noexcept {
    const LargeBlock block = blocks_[i];
    std::memmove(&blocks_[i], &blocks_[i + 1], (count_ - i - 1) * sizeof(LargeBlock));
    --count_;
    total_ -= block.nbytes;
    return block;
  }
  void drop_oldest() noexcept {
    const LargeBlock block = remove(0);
    unmap(block.base, block.nbytes);
  }

  std::mutex mutex_;
  LargeBlock blocks_[kMaxBlocks] = {};
  size_t count_ = 0;
  size_t total_ = 0;
};

// Never destroyed: tensors may be freed at exit.
Cache& cache() {
  static Cache* const instance = [] {
    auto* made = new Cache();
    ::pthread_atfork([] { cache().lock(); }, [] { cache().unlock(); }, [] { cache().unlock(); });
    return made;
  }();
  return *instance;
}

}  // namespace

LargeBlock large_block_allocate(size_t nbytes, bool zeroed) {
  const size_t rounded = round_up(nbytes, kGranularity);
  const LargeBlock used = cache().take(rounded);
  if (used.base != nullptr) {
    if (zeroed) std::memset(used.base, 0, nbytes);
    return used;
  }
  LargeBlock block{map(rounded), rounded};
  if (block.base == nullptr && cache().total() != 0) {
    cache().clear();
    block.base = map(rounded);
  }
  return block;
}

void large_block_free(LargeBlock block) noexcept { cache().put(block); }

void large_block_empty_cache() noexcept { cache().clear(); }
size_t large_block_cached_bytes() noexcept { return cache().total(); }

}  // namespace impl
}  // namespace c10::inline C10_ABI
