// CUDA as core sees it: the DeviceInterface over devices, streams, events, memory and generators.
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/core/DeviceInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace c10::inline C10_ABI::cuda {

namespace {

cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }

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
    const DeviceIndex before = exchange_device(index);
    const cudaError_t error = cudaDeviceSynchronize();
    if (before != index) cuda::set_device(before);
    C10_CUDA_CHECK(error);
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
    return is_ready(cudaStreamQuery(CUDAStream(stream).stream()));
  }
  void synchronize_stream(const Stream& stream) const override {
    C10_CUDA_CHECK(cudaStreamSynchronize(CUDAStream(stream).stream()));
  }
  void* native_stream(const Stream& stream) const override { return CUDAStream(stream).stream(); }

  void record_event(void** event, const Stream& stream, EventFlag flag) const override {
    const DeviceIndex before = exchange_device(stream.device_index());
    cudaError_t error = cudaSuccess;
    if (*event == nullptr) {
      cudaEvent_t made = nullptr;
      error = cudaEventCreateWithFlags(
          &made, flag == EventFlag::BACKEND_DEFAULT ? cudaEventDefault : cudaEventDisableTiming);
      *event = made;
    }
    if (error == cudaSuccess) error = cudaEventRecord(as_event(*event), CUDAStream(stream).stream());
    if (before != stream.device_index()) cuda::set_device(before);
    C10_CUDA_CHECK(error);
  }
  void block_stream(void* event, const Stream& stream) const override {
    if (event != nullptr)
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
  Allocator* pinned_allocator() const override { return CUDACachingAllocator::pinned(); }
  bool is_pinned(const void* ptr) const override {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, ptr) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    return attributes.type == cudaMemoryTypeHost;
  }
  void record_data_ptr_on_stream(const DataPtr& memory, const Stream& stream) const override {
    CUDACachingAllocator::record_stream(memory, CUDAStream(stream));
  }
  // cudaMemcpyDefault finds out from the addresses where both sides lie.
  void copy_bytes(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes,
                  bool non_blocking) const override {
    if (nbytes == 0) return;
    const DeviceIndex index = dst_device.is_cuda() ? dst_device.index() : src_device.index();
    const CUDAStream stream = getCurrentCUDAStream(index);
    C10_CUDA_CHECK(cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDefault, stream.stream()));
    if (!non_blocking) C10_CUDA_CHECK(cudaStreamSynchronize(stream.stream()));
  }

  const intrusive_ptr<GeneratorImpl>& default_generator(DeviceIndex index) const override {
    return at::cuda::detail::getDefaultCUDAGenerator(index).getIntrusivePtr();
  }
  intrusive_ptr<GeneratorImpl> new_generator(DeviceIndex index) const override {
    return at::cuda::detail::createCUDAGenerator(index).getIntrusivePtr();
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
