// The registry of device types, the loading of their libraries, and the defaults of the interface.
#include <c10/core/impl/DeviceInterface.h>

#include <c10/util/Exception.h>

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace c10::inline C10_ABI {

namespace {

constinit std::atomic<DeviceInterface*> interfaces[COMPILE_TIME_MAX_DEVICE_TYPES] = {};

// One attempt per device type; its outcome is kept for the error message.
struct LoadState {
  bool tried = false;
  std::string error;
};
struct Loader {
  std::recursive_mutex mutex;  // a library that is being loaded registers itself, which may ask again
  LoadState states[COMPILE_TIME_MAX_DEVICE_TYPES];
  std::vector<std::string> extensions[COMPILE_TIME_MAX_DEVICE_TYPES];  // that wait for the device's library
};
Loader& loader() {
  static Loader* instance = new Loader();
  return *instance;
}

// The folder of the library that has `anchor`, with a slash at its end.
std::string folder_of(const void* anchor) {
  Dl_info info;
  if (::dladdr(anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

// "<folder of this library>/lib<name>_<device>.so"
std::string device_library_path(DeviceType type) {
  return folder_of(&interfaces) + "lib" C10_LIBRARY_NAME "_" + DeviceTypeName(type, true) + ".so";
}

std::string dl_error() {
  const char* error = ::dlerror();
  return error != nullptr ? error : "unknown error";
}

void load_extension(const std::string& path) {
  if (::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    TORCH_WARN("kernels of an extension can't be loaded: ", dl_error());
  }
}

void load_waiting_extensions(Loader& state, DeviceType type) {
  const std::vector<std::string> waiting = std::exchange(state.extensions[static_cast<int>(type)], {});
  for (const std::string& path : waiting) load_extension(path);
}

}  // namespace

DeviceInterface::~DeviceInterface() = default;

void register_device_interface(DeviceInterface* interface) {
  const DeviceType type = interface->type();
  TORCH_CHECK(isValidDeviceType(type), "register_device_interface: invalid device type ",
              static_cast<int>(type));
  Allocator* allocator = interface->allocator();
  if (allocator != nullptr && type != DeviceType::CPU) SetAllocator(type, allocator);
  interfaces[static_cast<int>(type)].store(interface, std::memory_order_release);
}

DeviceInterface* find_device_interface(DeviceType type) noexcept {
  if (!isValidDeviceType(type)) return nullptr;
  return interfaces[static_cast<int>(type)].load(std::memory_order_acquire);
}

bool ensure_device_library(DeviceType type) {
  if (find_device_interface(type) != nullptr) return true;
  // Only these devices have a library named like that; others are registered by their own libraries.
  if (!isValidDeviceType(type) || type == DeviceType::PrivateUse1) return false;
  Loader& state = loader();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  LoadState& load = state.states[static_cast<int>(type)];
  if (!load.tried) {
    load.tried = true;
    const std::string path = device_library_path(type);
    if (::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) load.error = dl_error();
  }
  if (find_device_interface(type) == nullptr) return false;
  load_waiting_extensions(state, type);
  return true;
}

void load_with_device(DeviceType type, const void* anchor, const char* file) {
  Loader& state = loader();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  state.extensions[static_cast<int>(type)].push_back(folder_of(anchor) + file);
  if (find_device_interface(type) != nullptr) load_waiting_extensions(state, type);
}

DeviceInterface& device_interface(DeviceType type) {
  DeviceInterface* interface = find_device_interface(type);
  if (C10_LIKELY(interface != nullptr)) return *interface;
  if (ensure_device_library(type)) return *find_device_interface(type);
  const std::string name = DeviceTypeName(type, true);
  if (type == DeviceType::PrivateUse1) {
    TORCH_CHECK(false, "no backend is registered for device type ", name,
                "; load the library that provides it");
  }
  Loader& state = loader();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  TORCH_CHECK(false, C10_LIBRARY_NAME " has no support for device type ", name,
              " here: ", state.states[static_cast<int>(type)].error,
              ". It comes with `opgen build --backend ", name, "` on a machine with the device's toolkit");
  __builtin_unreachable();
}

DeviceIndex device_count(DeviceType type) noexcept {
  try {
    return ensure_device_library(type) ? find_device_interface(type)->device_count() : DeviceIndex(0);
  } catch (...) {
    return 0;
  }
}

Device resolve_device(Device device) {
  if (device.is_cpu() || device.is_meta()) return device;
  const DeviceInterface& interface = device_interface(device.type());
  const DeviceIndex count = interface.device_count();
  if (count == 0) {
    const std::string why = interface.why_no_device();
    TORCH_CHECK(false, "no ", device.type(), " device is available", why.empty() ? "" : ": ", why);
  }
  if (!device.has_index()) return Device(device.type(), interface.current_device());
  TORCH_CHECK(device.index() < count, "invalid device ", device, ": there are ", static_cast<int>(count),
              " devices of type ", device.type());
  return device;
}

// ---- defaults: a device with one index and no streams

void DeviceInterface::unsupported(const char* what) const {
  TORCH_CHECK_NOT_IMPLEMENTED(false, what, " isn't supported by device type ", type());
  __builtin_unreachable();
}

void DeviceInterface::set_device(DeviceIndex index) const {
  TORCH_CHECK(index == 0, "invalid ", type(), " device index ", static_cast<int>(index));
}
DeviceIndex DeviceInterface::exchange_device(DeviceIndex index) const {
  const DeviceIndex previous = current_device();
  if (previous != index) set_device(index);
  return previous;
}
DeviceProperties DeviceInterface::properties(DeviceIndex) const { unsupported("asking for properties"); }
MemoryInfo DeviceInterface::memory_info(DeviceIndex) const { unsupported("asking for free memory"); }
CachingDeviceAllocator::DeviceStats DeviceInterface::memory_stats(DeviceIndex) const {
  unsupported("counting memory");
}
void DeviceInterface::reset_peak_memory_stats(DeviceIndex) const { unsupported("counting memory"); }
void DeviceInterface::reset_accumulated_memory_stats(DeviceIndex) const { unsupported("counting memory"); }
Stream DeviceInterface::current_stream(DeviceIndex index) const { return default_stream(index); }
Stream DeviceInterface::default_stream(DeviceIndex index) const {
  return Stream(Stream::DEFAULT, Device(type(), type() == DeviceType::CPU ? DeviceIndex(-1) : index));
}
Stream DeviceInterface::new_stream(DeviceIndex index, int) const { return default_stream(index); }
Stream DeviceInterface::exchange_stream(const Stream& stream) const { return stream; }
Stream DeviceInterface::external_stream(void*, DeviceIndex) const { unsupported("using external streams"); }
Device DeviceInterface::device_of(const void*) const { unsupported("asking where memory is"); }
void DeviceInterface::record_event(void**, const Stream&, EventFlag) const {
  unsupported("recording events");
}
void DeviceInterface::block_stream(void*, const Stream&) const { unsupported("waiting for events"); }
bool DeviceInterface::query_event(void*) const { return true; }
void DeviceInterface::synchronize_event(void*) const {}
double DeviceInterface::elapsed_time(void*, void*) const { unsupported("timing between events"); }
void DeviceInterface::destroy_event(void*, DeviceIndex) const noexcept {}

bool Stream::query() const { return device_interface(device_type()).query_stream(*this); }
void Stream::synchronize() const { device_interface(device_type()).synchronize_stream(*this); }

}  // namespace c10::inline C10_ABI
