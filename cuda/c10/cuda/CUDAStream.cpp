// The pools of streams, and which stream is current.
#include <c10/cuda/CUDAStream.h>

#include <c10/cuda/CUDAException.h>

#include <atomic>
#include <mutex>

namespace c10::inline C10_ABI::cuda {

namespace {

constexpr int pool_size = 32;  // per priority

// Ids: 0 is the default stream, 1..pool_size have normal priority, the next pool_size have a high one.
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

DeviceIndex checked(DeviceIndex index) {
  if (index < 0) return current_device();
  TORCH_CHECK(index < device_count(), "invalid CUDA device index ", static_cast<int>(index), ": there are ",
              static_cast<int>(device_count()), " devices");
  return index;
}

CUDAStream make(DeviceIndex index, StreamId id) {
  return CUDAStream(Stream(Stream::UNSAFE, Device(DeviceType::CUDA, index), id));
}

cudaStream_t create(DeviceIndex index, bool high_priority) {
  const DeviceIndex before = current_device();
  if (before != index) set_device(index);
  int least = 0, greatest = 0;
  cudaStream_t made = nullptr;
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (error == cudaSuccess) {
    error = cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, high_priority ? greatest : least);
  }
  if (before != index) set_device(before);
  C10_CUDA_CHECK(error);
  return made;
}

}  // namespace

DeviceIndex device_count() noexcept {
  static const int count = [] {
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
      (void)cudaGetLastError();
      n = 0;
    }
    return n < max_devices ? n : max_devices;
  }();
  return static_cast<DeviceIndex>(count);
}

DeviceIndex current_device() {
  int index = 0;
  C10_CUDA_CHECK(cudaGetDevice(&index));
  return static_cast<DeviceIndex>(index);
}

void set_device(DeviceIndex index) { C10_CUDA_CHECK(cudaSetDevice(index)); }

cudaStream_t CUDAStream::stream() const {
  const StreamId id = stream_.id();
  if (id == 0) return nullptr;
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

CUDAStream exchange_current_stream(const CUDAStream& stream) {
  const DeviceIndex index = checked(stream.device_index());
  const CUDAStream before = make(index, current_ids[index]);
  current_ids[index] = stream.id();
  return before;
}

}  // namespace c10::inline C10_ABI::cuda
