// The cache of device memory: segments from cudaMalloc, split into blocks that are merged again when freed.
#include <c10/cuda/CUDACachingAllocator.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

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

using CachingDeviceAllocator::StatType;

constexpr size_t granule = 512;                  // sizes are multiples of it
constexpr size_t small_limit = size_t{1} << 20;  // up to here blocks come from small segments
constexpr size_t small_segment = size_t{2} << 20;
constexpr size_t medium_limit = size_t{8} << 20;  // up to here from segments of a fixed size
constexpr size_t medium_segment = size_t{32} << 20;
constexpr size_t large_granule = size_t{2} << 20;
constexpr size_t most_bytes = size_t{1} << 60;  // sizes up to here are rounded without overflow

size_t round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

struct Block {
  DeviceIndex device;
  StreamId stream;
  bool is_small;
  size_t size;
  char* ptr;
  size_t requested = 0;
  bool in_use = false;
  Block* before = nullptr;  // neighbours in the segment
  Block* after = nullptr;
  std::vector<CUDAStream> users;  // other streams that use it
  int pending_events = 0;

  StatType pool() const { return is_small ? StatType::SMALL_POOL : StatType::LARGE_POOL; }
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
    if (nbytes > most_bytes) report_out_of_memory(device, nbytes);
    collect_events(/*wait=*/false);
    const size_t size = round_up(nbytes, granule);
    Block* block = take_free(size, stream);
    if (block == nullptr) block = new_segment(device, size, stream);
    split(block, size);
    block->in_use = true;
    block->requested = nbytes;
    count_allocated(*block);
    return block;
  }

  void free(Block* block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    count_freed(*block);
    if (block->users.empty() || !record_events(block)) release(block);
  }

  void add_user(Block* block, const CUDAStream& stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stream.device_index() == block->device && stream.id() == block->stream) return;
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
    stats_.reset_peaks();
  }
  void reset_accumulated() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stats_.reset_accumulated();
  }

 private:
  void count_allocated(const Block& block) {
    stats_.allocation.increase(block.pool(), 1);
    stats_.active.increase(block.pool(), 1);
    stats_.requested_bytes.increase(block.pool(), block.requested);
    stats_.allocated_bytes.increase(block.pool(), block.size);
    stats_.active_bytes.increase(block.pool(), block.size);
  }
  // It stays active while streams use it.
  void count_freed(const Block& block) {
    stats_.allocation.decrease(block.pool(), 1);
    stats_.requested_bytes.decrease(block.pool(), block.requested);
    stats_.allocated_bytes.decrease(block.pool(), block.size);
  }

  FreeBlocks& free_blocks(bool is_small) { return is_small ? small_ : large_; }

  // The smallest free block of at least `size`, unless it would waste most of a big one that can't be split.
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
    if (error == cudaErrorMemoryAllocation) report_out_of_memory(device, size);
    C10_CUDA_CHECK(error);
    auto* block = new Block{device, stream, is_small, bytes, static_cast<char*>(ptr)};
    ++stats_.num_device_alloc;
    stats_.segment.increase(block->pool(), 1);
    stats_.reserved_bytes.increase(block->pool(), bytes);
    return block;
  }

  static size_t current(const CachingDeviceAllocator::StatArray& stat) {
    return static_cast<size_t>(stat[StatType::AGGREGATE].current);
  }

  [[noreturn]] void report_out_of_memory(DeviceIndex device, size_t size) {
    (void)cudaGetLastError();
    ++stats_.num_ooms;
    size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) (void)cudaGetLastError();
    throw OutOfMemoryError(str("CUDA out of memory. Tried to allocate ", readable(size), ". Device ",
                               static_cast<int>(device), " has ", readable(total), " in all, of which ",
                               readable(free), " is free; tensors of this process take ",
                               readable(current(stats_.allocated_bytes)), " of the ",
                               readable(current(stats_.reserved_bytes)), " that its cache holds."));
  }

  // Splits the excess off a block that is larger than needed.
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

  // Returns the block to the free blocks, merged with free neighbours.
  void release(Block* block) {
    FreeBlocks& blocks = free_blocks(block->is_small);
    stats_.active.decrease(block->pool(), 1);
    stats_.active_bytes.decrease(block->pool(), block->size);
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

  // Records events on the streams that use the block; it stays in use until they have completed. False when
  // CUDA can't any more (the process is ending): then nothing uses the block either.
  bool record_events(Block* block) {
    for (const CUDAStream& user : block->users) {
      const CUDAGuard guard(user.device_index());
      cudaEvent_t event = nullptr;
      if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess ||
          cudaEventRecord(event, user.stream()) != cudaSuccess) {
        (void)cudaGetLastError();
        if (event != nullptr) C10_CUDA_IGNORE_ERROR(cudaEventDestroy(event));
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

  // Returns segments that are entirely free to CUDA. cudaFree synchronizes the device.
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
        ++stats_.num_device_free;
        stats_.segment.decrease(block->pool(), 1);
        stats_.reserved_bytes.decrease(block->pool(), block->size);
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
  } catch (...) {  // destructors can't report it; the device's error comes with the next call
  }
}

class CachingAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    const DeviceIndex index = current_device();
    const Device device(DeviceType::CUDA, index);
    if (nbytes == 0) return DataPtr(nullptr, device);
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

}  // namespace

Allocator* get() {
  static auto* instance = new CachingAllocator();
  return instance;
}

void empty_cache() {
  for (DeviceIndex index = 0; index < device_count(); ++index) {
    if (cache(index).stats().reserved_bytes[StatType::AGGREGATE].current == 0) continue;
    const CUDAGuard guard(index);
    cache(index).empty();
  }
}

DeviceStats stats(DeviceIndex index) { return cache(index).stats(); }
void reset_peak_stats(DeviceIndex index) { cache(index).reset_peaks(); }
void reset_accumulated_stats(DeviceIndex index) { cache(index).reset_accumulated(); }

void record_stream(const DataPtr& memory, const CUDAStream& stream) {
  // Memory from outside is freed by its owner.
  if (auto* block = memory.cast_context<Block>(&free_block); block != nullptr) {
    cache(block->device).add_user(block, stream);
  }
}

}  // namespace c10::inline C10_ABI::cuda::CUDACachingAllocator
