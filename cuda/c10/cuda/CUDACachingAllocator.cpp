// The cache of device memory: segments from cudaMalloc, cut into blocks that are merged again when freed.
#include <c10/cuda/CUDACachingAllocator.h>

#include <c10/cuda/CUDAException.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace c10::inline C10_ABI::cuda::CUDACachingAllocator {

namespace {

constexpr size_t granule = 512;                  // sizes are multiples of it
constexpr size_t small_limit = size_t{1} << 20;  // up to here blocks come from small segments
constexpr size_t small_segment = size_t{2} << 20;
constexpr size_t medium_limit = size_t{8} << 20;  // up to here from segments of a fixed size
constexpr size_t medium_segment = size_t{32} << 20;
constexpr size_t large_granule = size_t{2} << 20;

size_t round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

struct Block {
  DeviceIndex device;
  StreamId stream;
  bool is_small;
  size_t size;
  char* ptr;
  bool in_use = false;
  Block* before = nullptr;  // neighbours in the segment
  Block* after = nullptr;
  std::vector<CUDAStream> users;  // other streams that work with it
  int pending_events = 0;

  bool is_segment() const { return before == nullptr && after == nullptr; }
};

struct ByFit {
  bool operator()(const Block* a, const Block* b) const {
    if (a->stream != b->stream) return a->stream < b->stream;
    if (a->size != b->size) return a->size < b->size;
    return a->ptr < b->ptr;
  }
};
using FreeBlocks = std::set<Block*, ByFit>;

std::string readable(size_t bytes) {
  char text[32];
  if (bytes < 1024) {
    std::snprintf(text, sizeof(text), "%zu bytes", bytes);
  } else if (bytes < (size_t{1} << 20)) {
    std::snprintf(text, sizeof(text), "%.2f KiB", static_cast<double>(bytes) / 1024.0);
  } else if (bytes < (size_t{1} << 30)) {
    std::snprintf(text, sizeof(text), "%.2f MiB", static_cast<double>(bytes) / 1048576.0);
  } else {
    std::snprintf(text, sizeof(text), "%.2f GiB", static_cast<double>(bytes) / 1073741824.0);
  }
  return text;
}

// The cache of one device. The device is current in the thread that calls allocate() and empty().
class DeviceCache {
 public:
  Block* allocate(DeviceIndex device, size_t nbytes, StreamId stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    collect_events(/*wait=*/false);
    const size_t size = round_up(nbytes, granule);
    Block* block = take_free(size, stream);
    if (block == nullptr) block = new_segment(device, size, stream);
    split(block, size);
    block->in_use = true;
    stats_.allocated_bytes += block->size;
    stats_.peak_allocated_bytes = std::max(stats_.peak_allocated_bytes, stats_.allocated_bytes);
    return block;
  }

  void free(Block* block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    stats_.allocated_bytes -= block->size;
    if (block->users.empty() || !record_events(block)) release(block);
  }

  void add_user(Block* block, const CUDAStream& stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stream.id() == block->stream) return;
    if (std::find(block->users.begin(), block->users.end(), stream) == block->users.end()) {
      block->users.push_back(stream);
    }
  }

  void empty() {
    const std::lock_guard<std::mutex> lock(mutex_);
    give_back();
  }

  DeviceStats stats() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stats_;
  }
  void reset_peaks() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stats_.peak_allocated_bytes = stats_.allocated_bytes;
    stats_.peak_reserved_bytes = stats_.reserved_bytes;
  }

 private:
  FreeBlocks& free_blocks(bool is_small) { return is_small ? small_ : large_; }

  // The smallest free block that holds `size`, unless it would waste most of a big one that can't be split.
  Block* take_free(size_t size, StreamId stream) {
    const bool is_small = size <= small_limit;
    FreeBlocks& blocks = free_blocks(is_small);
    Block wanted{0, stream, is_small, size, nullptr};
    const auto found = blocks.lower_bound(&wanted);
    if (found == blocks.end() || (*found)->stream != stream) return nullptr;
    Block* block = *found;
    blocks.erase(found);
    return block;
  }

  Block* new_segment(DeviceIndex device, size_t size, StreamId stream) {
    const bool is_small = size <= small_limit;
    const size_t bytes = is_small               ? small_segment
                         : size <= medium_limit ? medium_segment
                                                : round_up(size, large_granule);
    void* ptr = nullptr;
    cudaError_t error = cudaMalloc(&ptr, bytes);
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      ++stats_.num_alloc_retries;
      give_back();
      error = cudaMalloc(&ptr, bytes);
    }
    if (error == cudaErrorMemoryAllocation) fail(device, size);
    C10_CUDA_CHECK(error);
    stats_.reserved_bytes += bytes;
    stats_.peak_reserved_bytes = std::max(stats_.peak_reserved_bytes, stats_.reserved_bytes);
    return new Block{device, stream, is_small, bytes, static_cast<char*>(ptr)};
  }

  [[noreturn]] void fail(DeviceIndex device, size_t size) {
    (void)cudaGetLastError();
    ++stats_.num_ooms;
    size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) (void)cudaGetLastError();
    throw OutOfMemoryError(str("CUDA out of memory. Tried to allocate ", readable(size), ". Device ",
                               static_cast<int>(device), " has ", readable(total), " in all, of which ",
                               readable(free), " is free; tensors of this process take ",
                               readable(stats_.allocated_bytes), " of the ", readable(stats_.reserved_bytes),
                               " that its cache holds."));
  }

  // Cuts what is left over from a block that is larger than needed.
  void split(Block* block, size_t size) {
    const size_t rest = block->size - size;
    if (block->is_small ? rest < granule : rest <= small_limit) return;
    auto* tail = new Block{block->device, block->stream, block->is_small, rest, block->ptr + size};
    tail->before = block;
    tail->after = block->after;
    if (tail->after != nullptr) tail->after->before = tail;
    block->after = tail;
    block->size = size;
    free_blocks(tail->is_small).insert(tail);
  }

  // Back among the free blocks, merged with free neighbours.
  void release(Block* block) {
    FreeBlocks& blocks = free_blocks(block->is_small);
    block->in_use = false;
    block->users.clear();
    if (Block* left = block->before; left != nullptr && !left->in_use) {
      blocks.erase(left);
      block->ptr = left->ptr;
      block->size += left->size;
      block->before = left->before;
      if (block->before != nullptr) block->before->after = block;
      delete left;
    }
    if (Block* right = block->after; right != nullptr && !right->in_use) {
      blocks.erase(right);
      block->size += right->size;
      block->after = right->after;
      if (block->after != nullptr) block->after->before = block;
      delete right;
    }
    blocks.insert(block);
  }

  // Marks the streams that work with the block; it stays in use until they have passed the marks. False when
  // CUDA can't any more (the process is ending): then nothing works with the block either.
  bool record_events(Block* block) {
    for (const CUDAStream& user : block->users) {
      cudaEvent_t event = nullptr;
      if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess)
        return block->pending_events > 0;
      if (cudaEventRecord(event, user.stream()) != cudaSuccess) {
        C10_CUDA_IGNORE_ERROR(cudaEventDestroy(event));
        return block->pending_events > 0;
      }
      ++block->pending_events;
      pending_.emplace_back(event, block);
    }
    block->users.clear();
    return true;
  }

  void collect_events(bool wait) {
    for (auto it = pending_.begin(); it != pending_.end();) {
      const auto [event, block] = *it;
      const cudaError_t state = wait ? cudaEventSynchronize(event) : cudaEventQuery(event);
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();
        ++it;
        continue;
      }
      C10_CUDA_CHECK(state);
      C10_CUDA_IGNORE_ERROR(cudaEventDestroy(event));
      it = pending_.erase(it);
      if (--block->pending_events == 0) release(block);
    }
  }

  // Whole segments that are free go back to CUDA. cudaFree waits for the device.
  void give_back() {
    collect_events(/*wait=*/true);
    for (FreeBlocks* blocks : {&small_, &large_}) {
      for (auto it = blocks->begin(); it != blocks->end();) {
        Block* block = *it;
        if (!block->is_segment()) {
          ++it;
          continue;
        }
        it = blocks->erase(it);
        const cudaError_t error = cudaFree(block->ptr);
        stats_.reserved_bytes -= block->size;
        delete block;
        C10_CUDA_CHECK(error);
      }
    }
  }

  std::mutex mutex_;
  FreeBlocks small_, large_;
  std::deque<std::pair<cudaEvent_t, Block*>> pending_;
  DeviceStats stats_;
};

DeviceCache& cache(DeviceIndex index) {
  static auto* all = new DeviceCache[max_devices];  // never destroyed: tensors may outlive static objects
  TORCH_CHECK(index >= 0 && index < max_devices, "invalid CUDA device index ", static_cast<int>(index));
  return all[index];
}

void free_block(void* context) {
  auto* block = static_cast<Block*>(context);
  try {
    cache(block->device).free(block);
  } catch (...) {  // can't be reported from where tensors die; the device's error comes with the next call
  }
}

class CachingAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    const DeviceIndex index = current_device();
    const Device device(DeviceType::CUDA, index);
    if (nbytes == 0) return DataPtr(nullptr, device);
    constexpr size_t most = size_t{1} << 60;
    if (nbytes > most) {
      throw OutOfMemoryError(str("CUDA out of memory. Tried to allocate ", readable(nbytes), "."));
    }
    Block* block = cache(index).allocate(index, nbytes, getCurrentCUDAStream(index).id());
    return DataPtr(block->ptr, block, &free_block, device);
  }
  DataPtr allocate_zeroed(size_t nbytes) override {
    DataPtr memory = allocate(nbytes);
    if (nbytes != 0) C10_CUDA_CHECK(cudaMemsetAsync(memory.get(), 0, nbytes, getCurrentCUDAStream()));
    return memory;
  }
  void copy_data(void* dest, const void* src, size_t count) const override {
    C10_CUDA_CHECK(cudaMemcpyAsync(dest, src, count, cudaMemcpyDeviceToDevice, getCurrentCUDAStream()));
  }
  void empty_cache() override { CUDACachingAllocator::empty_cache(); }
};

void free_pinned(void* ptr) { C10_CUDA_IGNORE_ERROR(cudaFreeHost(ptr)); }

// cudaFreeHost waits for the device, so that a copy that is under way keeps its memory.
class PinnedAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (nbytes == 0) return DataPtr(nullptr, Device(DeviceType::CPU));
    void* ptr = nullptr;
    C10_CUDA_CHECK(cudaHostAlloc(&ptr, nbytes, cudaHostAllocPortable));
    return DataPtr(ptr, ptr, &free_pinned, Device(DeviceType::CPU));
  }
  DeleterFnPtr raw_deleter() const override { return &free_pinned; }
};

}  // namespace

Allocator* get() {
  static auto* instance = new CachingAllocator();
  return instance;
}

Allocator* pinned() {
  static auto* instance = new PinnedAllocator();
  return instance;
}

void empty_cache() {
  const DeviceIndex before = current_device();
  for (DeviceIndex index = 0; index < device_count(); ++index) {
    if (cache(index).stats().reserved_bytes == 0) continue;
    set_device(index);
    cache(index).empty();
  }
  set_device(before);
}

DeviceStats stats(DeviceIndex index) { return cache(index).stats(); }
void reset_peak_stats(DeviceIndex index) { cache(index).reset_peaks(); }

void record_stream(const DataPtr& memory, const CUDAStream& stream) {
  // Memory that came from elsewhere is its owner's to keep.
  if (auto* block = memory.cast_context<Block>(&free_block); block != nullptr) {
    cache(block->device).add_user(block, stream);
  }
}

}  // namespace c10::inline C10_ABI::cuda::CUDACachingAllocator
