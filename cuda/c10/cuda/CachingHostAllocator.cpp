// The cache of page-locked host memory: blocks whose sizes are powers of two, in one list for each size.
#include <c10/cuda/CachingHostAllocator.h>

#include <c10/cuda/CUDAException.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace c10::inline C10_ABI::cuda::CachingHostAllocator {

namespace {

constexpr size_t smallest = 512;  // bytes

struct Block {
  void* ptr;
  size_t size;
  std::vector<CUDAStream> users;  // streams that use it since it was allocated
  int pending_events = 0;
};

class HostCache {
 public:
  Block* allocate(size_t nbytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    collect_events(/*wait=*/false);
    const size_t size = std::bit_ceil(std::max(nbytes, smallest));
    std::vector<Block*>& blocks = free_blocks(size);
    if (blocks.empty()) return new_block(size);
    Block* block = blocks.back();
    blocks.pop_back();
    return block;
  }

  void free(Block* block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    record_events(block);
    if (block->pending_events == 0) release(block);
  }

  void add_user(Block* block, const CUDAStream& stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::find(block->users.begin(), block->users.end(), stream) == block->users.end()) {
      block->users.push_back(stream);
    }
  }

  void empty() {
    const std::lock_guard<std::mutex> lock(mutex_);
    give_back();
  }

 private:
  std::vector<Block*>& free_blocks(size_t size) { return free_[static_cast<size_t>(std::countr_zero(size))]; }

  // Portable: every device can access it.
  Block* new_block(size_t size) {
    void* ptr = nullptr;
    cudaError_t error = cudaHostAlloc(&ptr, size, cudaHostAllocPortable);
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      give_back();
      error = cudaHostAlloc(&ptr, size, cudaHostAllocPortable);
    }
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      throw OutOfMemoryError(str("out of page-locked memory: tried to allocate ", size, " bytes"));
    }
    C10_CUDA_CHECK(error);
    return new Block{ptr, size, {}};
  }

  void release(Block* block) { free_blocks(block->size).push_back(block); }

  // An event is recorded on its stream's device. Where CUDA can't record any more (the process is ending),
  // nothing uses the block either.
  void record_events(Block* block) {
    if (block->users.empty()) return;
    int before = 0;
    if (cudaGetDevice(&before) != cudaSuccess) return;
    for (const CUDAStream& user : block->users) {
      cudaEvent_t event = nullptr;
      if (cudaSetDevice(user.device_index()) != cudaSuccess ||
          cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) {
        break;
      }
      if (cudaEventRecord(event, user.stream()) != cudaSuccess) {
        C10_CUDA_IGNORE_ERROR(cudaEventDestroy(event));
        break;
      }
      ++block->pending_events;
      pending_.emplace_back(event, block);
    }
    block->users.clear();
    C10_CUDA_IGNORE_ERROR(cudaSetDevice(before));
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

  void give_back() {
    collect_events(/*wait=*/true);
    for (std::vector<Block*>& blocks : free_) {
      while (!blocks.empty()) {
        Block* block = blocks.back();
        blocks.pop_back();
        const cudaError_t error = cudaFreeHost(block->ptr);
        delete block;
        C10_CUDA_CHECK(error);
      }
    }
  }

  std::mutex mutex_;
  std::array<std::vector<Block*>, 64> free_;  // by the logarithm of their size
  std::deque<std::pair<cudaEvent_t, Block*>> pending_;
};

HostCache& cache() {
  static auto* instance = new HostCache();  // never destroyed: tensors may outlive static objects
  return *instance;
}

void free_block(void* context) {
  try {
    cache().free(static_cast<Block*>(context));
  } catch (...) {  // destructors can't report it; the device's error comes with the next call
  }
}

class HostAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (nbytes == 0) return DataPtr(nullptr, Device(DeviceType::CPU));
    constexpr size_t most = size_t{1} << 60;
    if (nbytes > most) {
      throw OutOfMemoryError(str("out of page-locked memory: tried to allocate ", nbytes, " bytes"));
    }
    Block* block = cache().allocate(nbytes);
    return DataPtr(block->ptr, block, &free_block, Device(DeviceType::CPU));
  }
  void empty_cache() override { cache().empty(); }
};

}  // namespace

Allocator* get() {
  static auto* instance = new HostAllocator();
  return instance;
}

bool record_stream(const DataPtr& memory, const CUDAStream& stream) {
  auto* block = memory.cast_context<Block>(&free_block);
  if (block != nullptr) cache().add_user(block, stream);
  return block != nullptr;
}

}  // namespace c10::inline C10_ABI::cuda::CachingHostAllocator
