// CUDA's DeviceInterface: devices, streams, events, memory and generators.
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/core/Event.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/CachingHostAllocator.h>

#include <cstring>

namespace c10::inline C10_ABI::cuda {

namespace {

cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }

unsigned event_flags(EventFlag flag) {
  const bool times = flag == EventFlag::BACKEND_DEFAULT || flag == EventFlag::BACKEND_BLOCKING;
  const bool sleeps = flag == EventFlag::PYTORCH_BLOCKING || flag == EventFlag::BACKEND_BLOCKING;
  return (times ? cudaEventDefault : cudaEventDisableTiming) |
         (sleeps ? cudaEventBlockingSync : cudaEventDefault);
}

DeviceProperties device_properties(DeviceIndex index) {
  cudaDeviceProp found{};
  C10_CUDA_CHECK(cudaGetDeviceProperties(&found, index));
  DeviceProperties result;
  result.name = found.name;
  result.major = found.major;
  result.minor = found.minor;
  result.total_memory = found.totalGlobalMem;
  result.multi_processor_count = found.multiProcessorCount;
  result.max_threads_per_multi_processor = found.maxThreadsPerMultiProcessor;
  result.max_threads_per_block = found.maxThreadsPerBlock;
  result.warp_size = found.warpSize;
  result.regs_per_multiprocessor = found.regsPerMultiprocessor;
  result.shared_memory_per_block = found.sharedMemPerBlock;
  result.shared_memory_per_block_optin = found.sharedMemPerBlockOptin;
  result.shared_memory_per_multiprocessor = found.sharedMemPerMultiprocessor;
  result.L2_cache_size = static_cast<size_t>(found.l2CacheSize);
  result.is_integrated = found.integrated != 0;
  result.is_multi_gpu_board = found.isMultiGpuBoard != 0;
  result.pci_domain_id = found.pciDomainID;
  result.pci_bus_id = found.pciBusID;
  result.pci_device_id = found.pciDeviceID;
  static_assert(sizeof(found.uuid.bytes) == sizeof(result.uuid));
  std::memcpy(result.uuid.data(), found.uuid.bytes, sizeof(result.uuid));
  return result;
}

class CUDADevice final : public DeviceInterface {
 public:
  DeviceType type() const override { return DeviceType::CUDA; }

  DeviceIndex device_count() const noexcept override { return cuda::device_count(); }
  DeviceIndex current_device() const override { return cuda::current_device(); }
  void set_device(DeviceIndex index) const override { cuda::set_device(index); }
  DeviceIndex exchange_device(DeviceIndex index) const override {
    const DeviceIndex before = cuda::current_device();
    if (before != index) cuda::set_device(index);
    return before;
  }
  void synchronize_device(DeviceIndex index) const override {
    const CUDAGuard guard(index);
    C10_CUDA_CHECK(cudaDeviceSynchronize());
  }

  DeviceProperties properties(DeviceIndex index) const override { return device_properties(index); }
  bool can_access_peer(DeviceIndex index, DeviceIndex peer) const override {
    int can = 0;
    C10_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, index, peer));
    return can != 0;
  }

  Stream current_stream(DeviceIndex index) const override { return getCurrentCUDAStream(index); }
  Stream default_stream(DeviceIndex index) const override { return getDefaultCUDAStream(index); }
  Stream new_stream(DeviceIndex index, int priority) const override {
    return getStreamFromPool(/*high_priority=*/priority < 0, index);
  }
  Stream exchange_stream(const Stream& stream) const override {
    return exchange_current_stream(CUDAStream(stream));
  }
  bool query_stream(const Stream& stream) const override {
    const CUDAGuard guard(stream.device_index());
    return is_ready(cudaStreamQuery(CUDAStream(stream).stream()));
  }
  void synchronize_stream(const Stream& stream) const override {
    const CUDAGuard guard(stream.device_index());
    C10_CUDA_CHECK(cudaStreamSynchronize(CUDAStream(stream).stream()));
  }
  void* native_stream(const Stream& stream) const override { return CUDAStream(stream).stream(); }
  Stream external_stream(void* handle, DeviceIndex index) const override {
    return getStreamFromExternal(static_cast<cudaStream_t>(handle), index);
  }
  void order_native_stream(void* handle, DeviceIndex index) const override {
    const CUDAGuard guard(index);
    const CUDAStream current = getCurrentCUDAStream(index);
    const auto later = static_cast<cudaStream_t>(handle);
    if (later == current.stream()) return;
    Event event(DeviceType::CUDA);
    event.record(current);
    C10_CUDA_CHECK(cudaStreamWaitEvent(later, as_event(event.eventId()), 0));
  }

  void record_event(void** event, const Stream& stream, EventFlag flag) const override {
    const CUDAGuard guard(stream.device_index());
    if (*event == nullptr) {
      cudaEvent_t made = nullptr;
      C10_CUDA_CHECK(cudaEventCreateWithFlags(&made, event_flags(flag)));
      *event = made;
    }
    C10_CUDA_CHECK(cudaEventRecord(as_event(*event), CUDAStream(stream).stream()));
  }
  void block_stream(void* event, const Stream& stream) const override {
    if (event == nullptr) return;
    const CUDAGuard guard(stream.device_index());
    C10_CUDA_CHECK(cudaStreamWaitEvent(CUDAStream(stream).stream(), as_event(event), 0));
  }
  bool query_event(void* event) const override {
    return event == nullptr || is_ready(cudaEventQuery(as_event(event)));
  }
  void synchronize_event(void* event) const override {
    if (event != nullptr) C10_CUDA_CHECK(cudaEventSynchronize(as_event(event)));
  }
  double elapsed_time(void* begin, void* end) const override {
    TORCH_CHECK(begin != nullptr && end != nullptr,
                "both events must be recorded before their time is asked for");
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, as_event(begin), as_event(end)));
    return milliseconds;
  }
  void destroy_event(void* event, DeviceIndex) const noexcept override {
    C10_CUDA_IGNORE_ERROR(cudaEventDestroy(as_event(event)));
  }

  Allocator* allocator() const override { return CUDACachingAllocator::get(); }
  Allocator* pinned_allocator() const override { return CachingHostAllocator::get(); }
  bool is_pinned(const void* ptr) const override {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, ptr) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    return attributes.type == cudaMemoryTypeHost;
  }
  Device device_of(const void* ptr) const override {
    cudaPointerAttributes attributes{};
    C10_CUDA_CHECK(cudaPointerGetAttributes(&attributes, ptr));
    TORCH_CHECK(attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged,
                "the address ", ptr, " is not in memory of a CUDA device");
    return Device(DeviceType::CUDA, static_cast<DeviceIndex>(attributes.device));
  }
  void record_data_ptr_on_stream(const DataPtr& memory, const Stream& stream) const override {
    if (!CachingHostAllocator::record_stream(memory, CUDAStream(stream))) {
      CUDACachingAllocator::record_stream(memory, CUDAStream(stream));
    }
  }
  // cudaMemcpyDefault infers the direction from the addresses.
  void copy_bytes(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes,
                  bool non_blocking) const override {
    if (nbytes == 0) return;
    const DeviceIndex index = dst_device.is_cuda() ? dst_device.index() : src_device.index();
    const CUDAGuard guard(index);
    const CUDAStream stream = getCurrentCUDAStream(index);
    C10_CUDA_CHECK(cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDefault, stream.stream()));
    if (!non_blocking) C10_CUDA_CHECK(cudaStreamSynchronize(stream.stream()));
  }

  MemoryInfo memory_info(DeviceIndex index) const override {
    const DeviceIndex before = exchange_device(index);
    MemoryInfo info;
    const cudaError_t error = cudaMemGetInfo(&info.free, &info.total);
    if (before != index) cuda::set_device(before);
    C10_CUDA_CHECK(error);
    return info;
  }
  CachingDeviceAllocator::DeviceStats memory_stats(DeviceIndex index) const override {
    return CUDACachingAllocator::stats(index);
  }
  void reset_peak_memory_stats(DeviceIndex index) const override {
    CUDACachingAllocator::reset_peak_stats(index);
  }
  void reset_accumulated_memory_stats(DeviceIndex index) const override {
    CUDACachingAllocator::reset_accumulated_stats(index);
  }

  const intrusive_ptr<GeneratorImpl>& default_generator(DeviceIndex index) const override {
    return at::cuda::detail::getDefaultCUDAGenerator(index).getIntrusivePtr();
  }
  intrusive_ptr<GeneratorImpl> new_generator(DeviceIndex index) const override {
    return at::cuda::detail::createCUDAGenerator(index).getIntrusivePtr();
  }

  std::string why_no_device() const override {
    const cudaError_t error = device_count_error();
    return error == cudaSuccess ? std::string() : describe(error);
  }

 private:
  static bool is_ready(cudaError_t state) {
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    C10_CUDA_CHECK(state);
    return true;
  }
};

C10_REGISTER_DEVICE_INTERFACE(CUDADevice)

}  // namespace

}  // namespace c10::inline C10_ABI::cuda
