// Devices, streams, events and copies.
#include "state.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace emulator {
namespace {

struct Stream {
  int device = 0;
  std::deque<std::function<void()>> work;
  uint64_t enqueued = 0, done = 0;
};
struct Event {
  int device = 0;
  Stream* stream = nullptr;
  uint64_t position = 0;  // how much of the stream's work came before it
};

thread_local cudaError_t last_error = cudaSuccess;
thread_local int this_device = 0;
cudaError_t device_error = cudaSuccess;
int device_of_work = 0;

std::map<cudaStream_t, std::unique_ptr<Stream>>& streams() {
  static auto* all = new std::map<cudaStream_t, std::unique_ptr<Stream>>();
  return *all;
}

// The null stream is the default one of the current device.
Stream* find(cudaStream_t handle) {
  static auto* defaults = new std::map<int, Stream>();
  if (handle == nullptr) {
    Stream& stream = (*defaults)[this_device];
    stream.device = this_device;
    return &stream;
  }
  const auto found = streams().find(handle);
  return found == streams().end() ? nullptr : found->second.get();
}

void run_until(Stream& stream, uint64_t position) {
  while (stream.done < position && !stream.work.empty()) {
    const std::function<void()> work = std::move(stream.work.front());
    stream.work.pop_front();
    ++stream.done;
    const int before = std::exchange(device_of_work, stream.device);
    work();
    device_of_work = before;
  }
}
void run_all(Stream& stream) { run_until(stream, stream.enqueued); }

// Side streams come before the default one, later ones before earlier ones: only waits order them.
void run_device(int device) {
  std::vector<Stream*> all;
  for (auto& [handle, stream] : streams()) {
    if (stream->device == device) all.insert(all.begin(), stream.get());
  }
  for (Stream* stream : all) run_all(*stream);
  const int before = std::exchange(this_device, device);
  Stream& last = *find(nullptr);
  this_device = before;
  run_all(last);
}

bool fits(cudaMemcpyKind kind, bool to_device, bool from_device) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

// Bytes that nobody wrote stay so in the copy; a copy to the host needs values.
void copy_states(void* dst, const void* src, size_t bytes) {
  const Region *to = device_region(dst), *from = device_region(src);
  if (from == nullptr) return;
  const uint8_t* states = from->states + (static_cast<const char*>(src) - from->begin);
  if (all_have(states, bytes, written)) return;
  for (size_t i = 0; i < bytes; ++i) {
    if ((states[i] & written) != 0) continue;
    if (to != nullptr) {
      to->states[static_cast<char*>(dst) + i - to->begin] &= static_cast<uint8_t>(~written);
    } else if (settings().checks_initial) {
      report("uninitialised-global", nullptr, nullptr,
             "a copy to the host reads byte %zu of %zu, which nobody wrote", i, bytes);
      return;
    }
  }
}

void copy_now(void* dst, const void* src, size_t bytes) {
  if (device_error != cudaSuccess) return;
  check_range(src, bytes, /*writes=*/false);
  check_range(dst, bytes, /*writes=*/true);
  std::memmove(dst, src, bytes);
  copy_states(dst, src, bytes);
}

Event* event_of(cudaEvent_t handle) { return reinterpret_cast<Event*>(handle); }
using Lock = std::lock_guard<std::recursive_mutex>;

}  // namespace

cudaError_t fail(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}
void set_device_error(cudaError_t error) { device_error = error; }
bool has_device_error() { return device_error != cudaSuccess; }
cudaError_t take_device_error() { return fail(std::exchange(device_error, cudaSuccess)); }
int current_device() { return this_device; }
int running_device() { return device_of_work; }
int device_of_stream(cudaStream_t handle) {
  const Stream* stream = find(handle);
  return stream == nullptr ? -1 : stream->device;
}

void enqueue(cudaStream_t handle, std::function<void()> work) {
  const Lock lock(global_lock());
  Stream* stream = find(handle);
  if (stream == nullptr) {
    fail(cudaErrorInvalidResourceHandle);
    return;
  }
  stream->work.push_back(std::move(work));
  ++stream->enqueued;
  if (!settings().is_lazy) run_all(*stream);
}

}  // namespace emulator

using namespace emulator;

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define NAME(name) \
  case name:       \
    return #name;
    NAME(cudaSuccess)
    NAME(cudaErrorInvalidValue)
    NAME(cudaErrorMemoryAllocation)
    NAME(cudaErrorInvalidConfiguration)
    NAME(cudaErrorInsufficientDriver)
    NAME(cudaErrorNoDevice)
    NAME(cudaErrorInvalidDevice)
    NAME(cudaErrorNoKernelImageForDevice)
    NAME(cudaErrorInvalidResourceHandle)
    NAME(cudaErrorNotReady)
    NAME(cudaErrorIllegalAddress)
    NAME(cudaErrorAssert)
    NAME(cudaErrorIllegalInstruction)
    NAME(cudaErrorLaunchFailure)
#undef NAME
  }
  return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = settings().devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = this_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= settings().devices) return fail(cudaErrorInvalidDevice);
  this_device = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Lock lock(global_lock());
  run_device(this_device);
  return take_device_error();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t handle) {
  const Lock lock(global_lock());
  const bool to_device = device_region(dst) != nullptr, from_device = device_region(src) != nullptr;
  if (bytes == 0) return cudaSuccess;
  if (!fits(kind, to_device, from_device)) {
    report("memcpy-kind", __builtin_return_address(0), nullptr, "kind %d, to %s from %s", kind,
           to_device ? "the device" : "the host", from_device ? "the device" : "the host");
    return fail(cudaErrorInvalidValue);
  }
  Stream* stream = find(handle);
  if (stream == nullptr) return fail(cudaErrorInvalidResourceHandle);
  count_operation("copy");
  if (!from_device && !is_pinned(src)) {  // pageable memory is read before the call returns
    const auto* begin = static_cast<const char*>(src);
    auto staged = std::make_shared<std::vector<char>>(begin, begin + bytes);
    enqueue(handle, [=] { copy_now(dst, staged->data(), bytes); });
  } else {
    enqueue(handle, [=] { copy_now(dst, src, bytes); });
  }
  if (to_device || is_pinned(dst)) return cudaSuccess;
  run_all(*stream);  // and written before it returns
  return take_device_error();
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int, const void* src, int, size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemsetAsync(void* ptr, int value, size_t bytes, cudaStream_t stream) {
  const Lock lock(global_lock());
  if (find(stream) == nullptr) return fail(cudaErrorInvalidResourceHandle);
  count_operation("fill");
  enqueue(stream, [=] {
    if (has_device_error()) return;
    check_range(ptr, bytes, /*writes=*/true);
    std::memset(ptr, value, bytes);
  });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned, int) {
  const Lock lock(global_lock());
  auto stream = std::make_unique<Stream>();
  stream->device = this_device;
  *handle = reinterpret_cast<cudaStream_t>(stream.get());
  streams()[*handle] = std::move(stream);
  return cudaSuccess;
}
// Of the stream stays what events point to.
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const Lock lock(global_lock());
  const auto found = streams().find(handle);
  if (found == streams().end()) return fail(cudaErrorInvalidResourceHandle);
  run_all(*found->second);
  (void)found->second.release();
  streams().erase(found);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const Lock lock(global_lock());
  Stream* stream = find(handle);
  if (stream == nullptr) return fail(cudaErrorInvalidResourceHandle);
  run_all(*stream);
  return take_device_error();
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const Lock lock(global_lock());
  const Stream* stream = find(handle);
  if (stream == nullptr) return fail(cudaErrorInvalidResourceHandle);
  return stream->work.empty() ? take_device_error() : fail(cudaErrorNotReady);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  const Lock lock(global_lock());
  const Event awaited = *event_of(event);  // as it is recorded now
  if (find(handle) == nullptr) return fail(cudaErrorInvalidResourceHandle);
  if (awaited.stream != nullptr) enqueue(handle, [awaited] { run_until(*awaited.stream, awaited.position); });
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned) {
  *handle = reinterpret_cast<cudaEvent_t>(new Event{this_device});
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  delete event_of(handle);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  const Lock lock(global_lock());
  Event& event = *event_of(handle);
  Stream* stream = find(stream_handle);
  if (stream == nullptr || stream->device != event.device) {
    report("event-of-other-device", __builtin_return_address(0), nullptr,
           "the event is of device %d, the stream of %d", event.device,
           stream == nullptr ? -1 : stream->device);
    return fail(cudaErrorInvalidResourceHandle);
  }
  event.stream = stream;
  event.position = stream->enqueued;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const Lock lock(global_lock());
  const Event& event = *event_of(handle);
  const bool is_done = event.stream == nullptr || event.stream->done >= event.position;
  return is_done ? cudaSuccess : fail(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  const Lock lock(global_lock());
  const Event& event = *event_of(handle);
  if (event.stream != nullptr) run_until(*event.stream, event.position);
  return take_device_error();
}
// Time isn't emulated.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1.0f;
  return cudaSuccess;
}

}  // extern "C"
