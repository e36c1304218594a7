// Streams of CUDA devices. A device has its default stream (id 0) and two pools, of normal and of high
// priority, from which new streams are taken round-robin; each thread has a current stream per device.
#pragma once

#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>

#include <cuda_runtime_api.h>

namespace c10::inline C10_ABI::cuda {

constexpr int max_devices = 64;

/// Number of devices; 0 without a driver.
C10_API DeviceIndex device_count() noexcept;
/// The error for which there are none.
cudaError_t device_count_error() noexcept;
C10_API DeviceIndex current_device();
C10_API void set_device(DeviceIndex index);

class C10_API CUDAStream {
 public:
  explicit CUDAStream(const Stream& stream) : stream_(stream) {}

  /// CUDA's handle, created at first use. That of a default stream is null, which is the current device's:
  /// calls with it need the stream's device to be current.
  cudaStream_t stream() const;
  operator cudaStream_t() const { return stream(); }
  operator Stream() const { return stream_; }
  const Stream& unwrap() const { return stream_; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  StreamId id() const { return stream_.id(); }
  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }

 private:
  Stream stream_;
};

// An index of -1 means the current device.
C10_API CUDAStream getDefaultCUDAStream(DeviceIndex index = -1);
C10_API CUDAStream getCurrentCUDAStream(DeviceIndex index = -1);
C10_API CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex index = -1);
/// A stream that another library made, and destroys.
C10_API CUDAStream getStreamFromExternal(cudaStream_t handle, DeviceIndex index = -1);
/// For this thread; returns the previous one.
C10_API CUDAStream exchange_current_stream(const CUDAStream& stream);

}  // namespace c10::inline C10_ABI::cuda

namespace at::inline C10_ABI::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromExternal;
using c10::cuda::getStreamFromPool;
}  // namespace at::inline C10_ABI::cuda
