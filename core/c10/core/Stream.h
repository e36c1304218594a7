// A stream: an ordered queue of work on a device, with an id that the device assigns.
#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>

namespace c10::inline C10_ABI {

using StreamId = int64_t;

class C10_API Stream final {
 public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };

  Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
  Stream(Default, Device device) : device_(device), id_(0) {}

  bool operator==(const Stream&) const noexcept = default;
  Device device() const noexcept { return device_; }
  DeviceType device_type() const noexcept { return device_.type(); }
  DeviceIndex device_index() const noexcept { return device_.index(); }
  StreamId id() const noexcept { return id_; }

  /// Whether all work queued so far is done.
  bool query() const;
  /// Waits until all work queued so far is done.
  void synchronize() const;
  /// Makes later work on this stream wait for `event`.
  template <class Event>
  void wait(const Event& event) const {
    event.block(*this);
  }

 private:
  Device device_;
  StreamId id_;
};

C10_API void append_to(std::string& out, const Stream& stream);

}  // namespace c10::inline C10_ABI
