// An event: recorded on a stream, waited for by other streams or the host.
#pragma once

#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/util/Exception.h>

#include <utility>

namespace c10::inline C10_ABI {

class Event {
 public:
  explicit Event(DeviceType type, EventFlag flag = EventFlag::PYTORCH_DEFAULT)
      : interface_(&c10::device_interface(type)), flag_(flag) {}
  Event(Event&& other) noexcept
      : interface_(other.interface_),
        flag_(other.flag_),
        index_(other.index_),
        event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (event_ != nullptr) interface_->destroy_event(event_, index_);
  }

  DeviceType device_type() const { return interface_->type(); }
  DeviceIndex device_index() const { return index_; }
  void* eventId() const { return event_; }
  bool was_marked_for_recording() const { return recorded_; }

  void record(const Stream& stream) {
    TORCH_CHECK(!recorded_ || stream.device_index() == index_, "an event that was recorded on device ",
                static_cast<int>(index_), " can't be recorded on a stream of device ",
                static_cast<int>(stream.device_index()));
    interface_->record_event(&event_, stream, flag_);
    index_ = stream.device_index();
    recorded_ = true;
  }
  void recordOnce(const Stream& stream) {
    if (!recorded_) record(stream);
  }
  void block(const Stream& stream) const {
    if (recorded_) interface_->block_stream(event_, stream);
  }
  bool query() const { return !recorded_ || interface_->query_event(event_); }
  void synchronize() const {
    if (recorded_) interface_->synchronize_event(event_);
  }
  /// Milliseconds from this event to `other`.
  double elapsedTime(const Event& other) const {
    TORCH_CHECK_VALUE(times() && other.times(), "Both events must be created with enable_timing=True");
    TORCH_CHECK_VALUE(recorded_ && other.recorded_,
                      "Both events must be recorded before calculating elapsed time");
    TORCH_CHECK(query() && other.query(), "Both events must be completed before calculating elapsed time");
    return interface_->elapsed_time(event_, other.event_);
  }

 private:
  bool times() const { return flag_ == EventFlag::BACKEND_DEFAULT || flag_ == EventFlag::BACKEND_BLOCKING; }

  const DeviceInterface* interface_;
  EventFlag flag_;
  DeviceIndex index_ = -1;
  bool recorded_ = false;
  void* event_ = nullptr;
};

}  // namespace c10::inline C10_ABI
