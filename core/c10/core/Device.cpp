// Names of devices, and parsing of them.
#include <c10/core/Device.h>

#include <c10/core/Stream.h>

#include <mutex>

namespace c10::inline C10_ABI {

namespace {

struct DeviceNames {
  const char* upper;
  const char* lower;
};
constexpr DeviceNames kNames[] = {
    {"CPU", "cpu"},       {"CUDA", "cuda"},     {"MKLDNN", "mkldnn"},
    {"OPENGL", "opengl"}, {"OPENCL", "opencl"}, {"IDEEP", "ideep"},
    {"HIP", "hip"},       {"FPGA", "fpga"},     {"MAIA", "maia"},
    {"XLA", "xla"},       {"VULKAN", "vulkan"}, {"METAL", "metal"},
    {"XPU", "xpu"},       {"MPS", "mps"},       {"META", "meta"},
    {"HPU", "hpu"},       {"VE", "ve"},         {"LAZY", "lazy"},
    {"IPU", "ipu"},       {"MTIA", "mtia"},     {"PRIVATEUSEONE", "privateuseone"}};
static_assert(sizeof(kNames) / sizeof(kNames[0]) == COMPILE_TIME_MAX_DEVICE_TYPES);

// Written once, under the mutex; read under it, too, as names are only for messages and parsing.
std::mutex privateuse1_mutex;
std::string& privateuse1_name() {
  static std::string* name = new std::string();  // never destroyed: errors may be thrown at exit
  return *name;
}

std::string with_case(std::string name, bool lower_case) {
  if (lower_case) return name;
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::string known_device_types() {
  std::string list;
  for (int i = 0; i < COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    list += (i == 0 ? "" : ", ") + DeviceTypeName(static_cast<DeviceType>(i), true);
  }
  return list;
}

DeviceType parse_type(std::string_view name, const std::string& device_string) {
  for (int i = 0; i < COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (name == kNames[i].lower || name == DeviceTypeName(type, true)) return type;
  }
  TORCH_CHECK(false, "Expected one of ", known_device_types(),
              " device type at start of device string: ", device_string);
  return DeviceType::CPU;
}

DeviceIndex parse_index(std::string_view digits, const std::string& device_string) {
  const bool leading_zero = digits.size() > 1 && digits[0] == '0';
  TORCH_CHECK(!digits.empty() && digits.size() <= 3 && !leading_zero, "Invalid device string: '",
              device_string, "'");
  int index = 0;
  for (char c : digits) {
    TORCH_CHECK(c >= '0' && c <= '9', "Invalid device string: '", device_string, "'");
    index = index * 10 + (c - '0');
  }
  TORCH_CHECK(index <= 127, "Device index must be at most 127, got '", device_string, "'");
  return static_cast<DeviceIndex>(index);
}

}  // namespace

bool isValidDeviceType(DeviceType type) {
  return static_cast<int>(type) >= 0 && static_cast<int>(type) < COMPILE_TIME_MAX_DEVICE_TYPES;
}

std::string DeviceTypeName(DeviceType type, bool lower_case) {
  if (type == DeviceType::PrivateUse1) return get_privateuse1_backend(lower_case);
  if (!isValidDeviceType(type)) return str("unknown device type ", static_cast<int>(type));
  const DeviceNames& names = kNames[static_cast<int>(type)];
  return lower_case ? names.lower : names.upper;
}

std::string get_privateuse1_backend(bool lower_case) {
  std::lock_guard<std::mutex> lock(privateuse1_mutex);
  const std::string& name = privateuse1_name();
  return with_case(name.empty() ? kNames[static_cast<int>(DeviceType::PrivateUse1)].lower : name, lower_case);
}

bool is_privateuse1_backend_registered() {
  std::lock_guard<std::mutex> lock(privateuse1_mutex);
  return !privateuse1_name().empty();
}

void register_privateuse1_backend(const std::string& backend_name) {
  TORCH_CHECK_VALUE(!backend_name.empty(), "rename_privateuse1_backend: the name must not be empty");
  for (size_t i = 0; i < backend_name.size(); ++i) {
    const char c = backend_name[i];
    const bool letter = (c >= 'a' && c <= 'z') || c == '_';
    TORCH_CHECK_VALUE(letter || (i > 0 && c >= '0' && c <= '9'), "rename_privateuse1_backend: '",
                      backend_name, "' isn't a lower-case identifier");
  }
  for (const DeviceNames& names : kNames) {
    const bool own = &names == &kNames[static_cast<int>(DeviceType::PrivateUse1)];
    TORCH_CHECK(own || backend_name != names.lower, "Cannot register ", backend_name,
                " as the name of PrivateUse1: it is the name of another device type");
  }
  std::lock_guard<std::mutex> lock(privateuse1_mutex);
  std::string& name = privateuse1_name();
  TORCH_CHECK(name.empty() || name == backend_name, "PrivateUse1 was already named ", name,
              " and cannot be renamed to ", backend_name);
  name = backend_name;
}

Device::Device(const std::string& device_string) : Device(DeviceType::CPU) {
  TORCH_CHECK(!device_string.empty(), "Device string must not be empty");
  const size_t colon = device_string.find(':');
  type_ = parse_type(std::string_view(device_string).substr(0, colon), device_string);
  if (colon == std::string::npos) return;
  index_ = parse_index(std::string_view(device_string).substr(colon + 1), device_string);
  TORCH_CHECK(!is_cpu() || index_ == 0, "CPU device index must be -1 or zero, got '", device_string, "'");
}

std::string Device::str() const {
  std::string out = DeviceTypeName(type_, true);
  if (has_index()) out += ":" + std::to_string(static_cast<int>(index_));
  return out;
}

void append_to(std::string& out, const Stream& stream) {
  append_to(out, str("stream ", stream.id(), " on device ", stream.device()));
}

}  // namespace c10::inline C10_ABI
