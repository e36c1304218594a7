// Makes a stream (and its device) current until it is destroyed.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceInterface.h>

#include <optional>

namespace c10::inline C10_ABI {

class StreamGuard {
 public:
  explicit StreamGuard(const Stream& stream)
      : guard_(stream.device()),
        interface_(&device_interface(stream.device_type())),
        original_(interface_->exchange_stream(stream)),
        current_(stream) {}
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;
  ~StreamGuard() {
    try {
      interface_->exchange_stream(original_);
    } catch (...) {  // can't be reported from here
    }
  }

  const Stream& original_stream() const { return original_; }
  const Stream& current_stream() const { return current_; }
  Device current_device() const { return guard_.current_device(); }
  Device original_device() const { return guard_.original_device(); }

 private:
  DeviceGuard guard_;
  const DeviceInterface* interface_;
  Stream original_;
  Stream current_;
};

class OptionalStreamGuard {
 public:
  OptionalStreamGuard() = default;
  explicit OptionalStreamGuard(std::optional<Stream> stream) {
    if (stream.has_value()) guard_.emplace(*stream);
  }
  void reset_stream(const Stream& stream) {
    guard_.reset();
    guard_.emplace(stream);
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<StreamGuard> guard_;
};

}  // namespace c10::inline C10_ABI
