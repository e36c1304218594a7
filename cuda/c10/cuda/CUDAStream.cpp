// The pools of streams, and the current streams.
#include <c10/cuda/CUDAStream.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace c10::inline C10_ABI::cuda {

namespace {

constexpr int pool_size = 32;  // per priority

// Ids: 0 is the default stream, 1..pool_size have normal priority, the next pool_size have a high one. A
// stream from outside has its handle's negative: addresses, and CUDA's special handles, are small positive
// numbers.
struct DevicePools {
  std::mutex mutex;
  cudaStream_t streams[2 * pool_size] = {};
  std::atomic<uint32_t> next[2] = {0, 0};
};

DevicePools& pools(DeviceIndex index) {
  static auto* all = new DevicePools[max_devices];  // never destroyed: used until the process ends
  return all[index];
}

thread_local StreamId current_ids[max_devices] = {};

struct FoundDevices {
  DeviceIndex count;
  cudaError_t error;
};
const FoundDevices& found_devices() noexcept {
  static const FoundDevices found = [] {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) (void)cudaGetLastError();
    return FoundDevices{static_cast<DeviceIndex>(error == cudaSuccess ? std::min(count, max_devices) : 0),
                        error};
  }();
  return found;
}

void check_device(DeviceIndex index) {
  const DeviceIndex count = device_count();
  if (C10_LIKELY(index >= 0 && index < count)) return;
  const Device device(DeviceType::CUDA, index);
  TORCH_CHECK(count > 0, "no CUDA device is available for ", device, ": ", describe(device_count_error()));
  TORCH_CHECK(false, "invalid device ", device, ": there are ", static_cast<int>(count), " CUDA devices");
}

DeviceIndex checked(DeviceIndex index) {
  if (index < 0) return current_device();
  check_device(index);
  return index;
}

CUDAStream make(DeviceIndex index, StreamId id) {
  return CUDAStream(Stream(Stream::UNSAFE, Device(DeviceType::CUDA, index), id));
}

cudaStream_t create(DeviceIndex index, bool high_priority) {
  const CUDAGuard guard(index);
  int least = 0, greatest = 0;
  cudaStream_t made = nullptr;
  C10_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  C10_CUDA_CHECK(
      cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, high_priority ? greatest : least));
  return made;
}

}  // namespace

DeviceIndex device_count() noexcept { return found_devices().count; }
cudaError_t device_count_error() noexcept { return found_devices().error; }

DeviceIndex current_device() {
  int index = 0;
  C10_CUDA_CHECK(cudaGetDevice(&index));
  return static_cast<DeviceIndex>(index);
}

void set_device(DeviceIndex index) {
  check_device(index);
  C10_CUDA_CHECK(cudaSetDevice(index));
}

cudaStream_t CUDAStream::stream() const {
  const StreamId id = stream_.id();
  if (id == 0) return nullptr;
  if (id < 0) return reinterpret_cast<cudaStream_t>(-id);
  TORCH_CHECK(id > 0 && id <= 2 * pool_size, "invalid CUDA stream id ", id);
  DevicePools& device = pools(checked(stream_.device_index()));
  const std::lock_guard<std::mutex> lock(device.mutex);
  cudaStream_t& handle = device.streams[id - 1];
  if (handle == nullptr) handle = create(stream_.device_index(), id > pool_size);
  return handle;
}

CUDAStream getDefaultCUDAStream(DeviceIndex index) { return make(checked(index), 0); }

CUDAStream getCurrentCUDAStream(DeviceIndex index) {
  index = checked(index);
  return make(index, current_ids[index]);
}

CUDAStream getStreamFromPool(bool high_priority, DeviceIndex index) {
  index = checked(index);
  const uint32_t turn = pools(index).next[high_priority].fetch_add(1, std::memory_order_relaxed) % pool_size;
  return make(index, 1 + static_cast<StreamId>(turn) + (high_priority ? pool_size : 0));
}

CUDAStream getStreamFromExternal(cudaStream_t handle, DeviceIndex index) {
  return make(checked(index), -reinterpret_cast<StreamId>(handle));
}

CUDAStream exchange_current_stream(const CUDAStream& stream) {
  const DeviceIndex index = checked(stream.device_index());
  const CUDAStream before = make(index, current_ids[index]);
  current_ids[index] = stream.id();
  return before;
}

}  // namespace c10::inline C10_ABI::cuda
