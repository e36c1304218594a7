// Guards that change this thread's current device until they are destroyed. For the host they do nothing.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace c10::inline C10_ABI {

namespace impl {
/// Only device types that may have several devices have a current one.
constexpr bool has_current_device(Device device) { return !device.is_cpu() && !device.is_meta(); }
}  // namespace impl

class DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : original_(device), current_(device) {
    if (C10_UNLIKELY(impl::has_current_device(device))) enter(device);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (C10_UNLIKELY(interface_ != nullptr)) leave();
  }

  Device original_device() const { return original_; }
  Device current_device() const { return current_; }
  void set_index(DeviceIndex index) {
    if (interface_ == nullptr) return;
    interface_->set_device(index);
    current_.set_index(index);
  }
  void reset_device(Device device) {
    if (interface_ != nullptr) leave();
    interface_ = nullptr;
    original_ = current_ = device;
    if (impl::has_current_device(device)) enter(device);
  }

 private:
  C10_NOINLINE void enter(Device device) {
    interface_ = &device_interface(device.type());
    const DeviceIndex index = device.has_index() ? device.index() : interface_->current_device();
    original_ = Device(device.type(), interface_->exchange_device(index));
    current_ = Device(device.type(), index);
  }
  // A failure to switch back can't be reported from a destructor; the next use of the device reports it.
  C10_NOINLINE void leave() noexcept {
    try {
      if (original_.index() != interface_->current_device()) interface_->set_device(original_.index());
    } catch (...) {
    }
  }

  const DeviceInterface* interface_ = nullptr;
  Device original_;
  Device current_;
};

class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device device) { reset_device(device); }
  explicit OptionalDeviceGuard(std::optional<Device> device) {
    if (device.has_value()) reset_device(*device);
  }
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  void reset_device(Device device) {
    guard_.reset();
    guard_.emplace(device);
  }
  void reset() { guard_.reset(); }
  std::optional<Device> original_device() const {
    return guard_.has_value() ? std::optional<Device>(guard_->original_device()) : std::nullopt;
  }
  std::optional<Device> current_device() const {
    return guard_.has_value() ? std::optional<Device>(guard_->current_device()) : std::nullopt;
  }

 private:
  std::optional<DeviceGuard> guard_;
};

}  // namespace c10::inline C10_ABI

namespace at::inline C10_ABI {

/// The device for an operator's device guard.
template <class TensorType>
std::optional<Device> device_of(const TensorType& t) {
  if (!t.defined()) return std::nullopt;
  return t.device();
}
template <class TensorType>
std::optional<Device> device_of(const std::optional<TensorType>& t) {
  if (!t.has_value()) return std::nullopt;
  return device_of(*t);
}
template <class TensorType>
std::optional<Device> device_of(c10::ArrayRef<TensorType> tensors) {
  if (tensors.empty()) return std::nullopt;
  return device_of(tensors.front());
}

}  // namespace at::inline C10_ABI
