// Device types, with PyTorch's values.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>
#include <string_view>

// clang-format off
// Device types that have a backend component among the dispatch keys.
#define C10_FORALL_BACKEND_DEVICE_TYPES(_, extra)                                                    \
  _(CPU, extra) _(CUDA, extra) _(HIP, extra) _(XLA, extra) _(MPS, extra) _(IPU, extra) _(XPU, extra) \
  _(HPU, extra) _(VE, extra) _(Lazy, extra) _(Meta, extra) _(MTIA, extra) _(PrivateUse1, extra)
// clang-format on

namespace c10::inline C10_ABI {

enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  OPENGL = 3,
  OPENCL = 4,
  IDEEP = 5,
  HIP = 6,
  FPGA = 7,
  MAIA = 8,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15,
  VE = 16,
  Lazy = 17,
  IPU = 18,
  MTIA = 19,
  PrivateUse1 = 20,
  COMPILE_TIME_MAX_DEVICE_TYPES = 21,
};

constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kHIP = DeviceType::HIP;
constexpr DeviceType kFPGA = DeviceType::FPGA;
constexpr DeviceType kMAIA = DeviceType::MAIA;
constexpr DeviceType kXLA = DeviceType::XLA;
constexpr DeviceType kVulkan = DeviceType::Vulkan;
constexpr DeviceType kMetal = DeviceType::Metal;
constexpr DeviceType kXPU = DeviceType::XPU;
constexpr DeviceType kMPS = DeviceType::MPS;
constexpr DeviceType kMeta = DeviceType::Meta;
constexpr DeviceType kHPU = DeviceType::HPU;
constexpr DeviceType kVE = DeviceType::VE;
constexpr DeviceType kLazy = DeviceType::Lazy;
constexpr DeviceType kIPU = DeviceType::IPU;
constexpr DeviceType kMTIA = DeviceType::MTIA;
constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;

constexpr int COMPILE_TIME_MAX_DEVICE_TYPES = static_cast<int>(DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES);

/// "CUDA", or with lower_case "cuda". PrivateUse1 is named by rename_privateuse1_backend.
C10_API std::string DeviceTypeName(DeviceType type, bool lower_case = false);
C10_API bool isValidDeviceType(DeviceType type);
inline void append_to(std::string& out, DeviceType type) { out += DeviceTypeName(type, true); }

/// Names PrivateUse1 after an accelerator ("npu"): lower-case letters, digits and '_', not the name of
/// another device type. Only once; the same name again is allowed.
C10_API void register_privateuse1_backend(const std::string& backend_name);
inline void rename_privateuse1_backend(const std::string& name) { register_privateuse1_backend(name); }
/// The name of PrivateUse1, "privateuseone" until it is renamed.
C10_API std::string get_privateuse1_backend(bool lower_case = true);
C10_API bool is_privateuse1_backend_registered();

}  // namespace c10::inline C10_ABI

namespace torch::inline C10_ABI {
using c10::DeviceType;
}
