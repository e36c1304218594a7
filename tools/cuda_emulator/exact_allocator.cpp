// In place of the caching allocator: each tensor has an allocation of its exact size, freed in the order of
// its stream, so that accesses beyond it and after its end are seen.
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>

#include <vector>

namespace c10::inline C10_ABI::cuda::CUDACachingAllocator {

namespace {

constexpr auto pool = CachingDeviceAllocator::StatType::LARGE_POOL;  // there is but one

DeviceStats& numbers(DeviceIndex index) {
  static auto* all = new DeviceStats[max_devices];
  return all[index];
}

struct Block {
  void* ptr;
  size_t bytes;
  CUDAStream stream;
  std::vector<CUDAStream> users;
};

// `stream` comes after what `user` has to do now.
void wait_for(const CUDAStream& stream, const CUDAStream& user) {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, user);
  cudaStreamWaitEvent(stream, event, 0);
  cudaEventDestroy(event);
}

void free_block(void* context) {
  auto* block = static_cast<Block*>(context);
  const DeviceIndex before = current_device(), device = block->stream.device_index();
  set_device(device);
  for (const CUDAStream& user : block->users) wait_for(block->stream, user);
  emulatorFreeAsync(block->ptr, block->stream);
  set_device(before);
  numbers(device).allocated_bytes.decrease(pool, block->bytes);
  numbers(device).reserved_bytes.decrease(pool, block->bytes);
  delete block;
}

class ExactAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    const DeviceIndex index = current_device();
    const Device device(DeviceType::CUDA, index);
    if (nbytes == 0) return DataPtr(nullptr, device);
    DeviceStats& stats = numbers(index);
    void* ptr = nullptr;
    if (const cudaError_t error = cudaMalloc(&ptr, nbytes); error != cudaSuccess) {
      (void)cudaGetLastError();
      ++stats.num_ooms;
      throw OutOfMemoryError(str("CUDA out of memory. Tried to allocate ", nbytes, " bytes."));
    }
    stats.allocated_bytes.increase(pool, nbytes);
    stats.reserved_bytes.increase(pool, nbytes);
    return DataPtr(ptr, new Block{ptr, nbytes, getCurrentCUDAStream(index), {}}, &free_block, device);
  }
  DataPtr allocate_zeroed(size_t nbytes) override {
    DataPtr memory = allocate(nbytes);
    if (nbytes != 0) C10_CUDA_CHECK(cudaMemsetAsync(memory.get(), 0, nbytes, getCurrentCUDAStream()));
    return memory;
  }
  void copy_data(void* dst, const void* src, size_t n) const override {
    C10_CUDA_CHECK(cudaMemcpyAsync(dst, src, n, cudaMemcpyDeviceToDevice, getCurrentCUDAStream()));
  }
};

}  // namespace

Allocator* get() {
  static auto* instance = new ExactAllocator();
  return instance;
}
void empty_cache() {}
DeviceStats stats(DeviceIndex index) { return numbers(index); }
void reset_peak_stats(DeviceIndex index) { numbers(index).reset_peaks(); }
void reset_accumulated_stats(DeviceIndex index) { numbers(index).reset_accumulated(); }

void record_stream(const DataPtr& memory, const CUDAStream& stream) {
  auto* block = memory.cast_context<Block>(&free_block);
  if (block != nullptr && !(stream == block->stream)) block->users.push_back(stream);
}

}  // namespace c10::inline C10_ABI::cuda::CUDACachingAllocator
