// A device: its type and, where there are several of that type, an index (-1: the current one).
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace c10::inline C10_ABI {

using DeviceIndex = int8_t;

struct Device final {
  using Type = DeviceType;

  constexpr /*implicit*/ Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {
    validate();
  }
  /// From "cuda" or "cuda:1"; throws an error that says what is wrong with other text.
  C10_API /*implicit*/ Device(const std::string& device_string);
  /*implicit*/ Device(const char* device_string) : Device(std::string(device_string)) {}

  constexpr bool operator==(const Device&) const noexcept = default;
  constexpr void set_index(DeviceIndex index) { index_ = index; }
  constexpr DeviceType type() const noexcept { return type_; }
  constexpr DeviceIndex index() const noexcept { return index_; }
  constexpr bool has_index() const noexcept { return index_ != -1; }

  constexpr bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  constexpr bool is_cuda() const noexcept { return type_ == DeviceType::CUDA; }
  constexpr bool is_hip() const noexcept { return type_ == DeviceType::HIP; }
  constexpr bool is_mps() const noexcept { return type_ == DeviceType::MPS; }
  constexpr bool is_xpu() const noexcept { return type_ == DeviceType::XPU; }
  constexpr bool is_xla() const noexcept { return type_ == DeviceType::XLA; }
  constexpr bool is_hpu() const noexcept { return type_ == DeviceType::HPU; }
  constexpr bool is_ipu() const noexcept { return type_ == DeviceType::IPU; }
  constexpr bool is_ve() const noexcept { return type_ == DeviceType::VE; }
  constexpr bool is_lazy() const noexcept { return type_ == DeviceType::Lazy; }
  constexpr bool is_mtia() const noexcept { return type_ == DeviceType::MTIA; }
  constexpr bool is_meta() const noexcept { return type_ == DeviceType::Meta; }
  constexpr bool is_privateuseone() const noexcept { return type_ == DeviceType::PrivateUse1; }

  /// "cuda:1"
  C10_API std::string str() const;

 private:
  constexpr void validate() const {
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(index_ >= -1, "Device index must be -1 or non-negative, got ",
                                     static_cast<int>(index_));
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(!is_cpu() || index_ <= 0, "CPU device index must be -1 or zero, got ",
                                     static_cast<int>(index_));
  }

  DeviceType type_;
  DeviceIndex index_ = -1;
};
static_assert(sizeof(Device) == 2);

inline void append_to(std::string& out, Device device) { out += device.str(); }

}  // namespace c10::inline C10_ABI

template <>
struct std::hash<c10::DeviceType> {
  size_t operator()(c10::DeviceType type) const noexcept {
    return static_cast<size_t>(static_cast<uint8_t>(type));
  }
};
template <>
struct std::hash<c10::Device> {
  size_t operator()(c10::Device device) const noexcept {
    return static_cast<size_t>(static_cast<uint8_t>(device.type())) << 8 |
           static_cast<uint8_t>(device.index());
  }
};
