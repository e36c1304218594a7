// The order of streams in a backward pass (see the header).
#include <torch/autograd/streams.h>

#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/impl/DeviceInterface.h>

#include <algorithm>
#include <memory>

namespace torch::inline C10_ABI::autograd {

namespace {

const c10::DeviceInterface& interface_of(const c10::Stream& stream) {
  return c10::device_interface(stream.device_type());
}

c10::Stream current_stream(c10::Device device) {
  return c10::device_interface(device.type()).current_stream(device.index());
}

void wait_for(const c10::Stream& waiting, const c10::Stream& earlier) {
  c10::Event event(earlier.device_type());
  event.record(earlier);
  event.block(waiting);
}

void record_use(const Tensor& t, const c10::Stream& stream) {
  if (t.has_storage()) interface_of(stream).record_data_ptr_on_stream(t.storage().data_ptr(), stream);
}

}  // namespace

c10::StreamId InputMetadata::current_stream_id(c10::Device device) { return current_stream(device).id(); }

struct RunStreams::Guard::Held {
  explicit Held(c10::Device device) : device(device) {}
  c10::DeviceGuard device;
  std::vector<c10::Stream> streams;  // one for each device
};

void RunStreams::Guard::enter(RunStreams& run, const c10::Stream& stream) {
  if (std::find(run.used_.begin(), run.used_.end(), stream) == run.used_.end()) run.used_.push_back(stream);
  if (held_ == nullptr) held_ = new Held(stream.device());
  std::vector<c10::Stream>& before = held_->streams;
  const auto same_device = [&](const c10::Stream& s) { return s.device() == stream.device(); };
  if (std::any_of(before.begin(), before.end(), same_device)) return;
  before.reserve(before.size() + 1);  // what is exchanged below must be kept
  before.push_back(interface_of(stream).exchange_stream(stream));
}

void RunStreams::Guard::leave() noexcept {
  const std::unique_ptr<Held> held(held_);
  for (const c10::Stream& stream : held->streams) {
    try {
      interface_of(stream).exchange_stream(stream);
    } catch (...) {  // can't be reported from here; the next use of the device reports it
    }
  }
}

void RunStreams::join(const variable_list& results) const {
  for (const c10::Stream& stream : used_) {
    const c10::Stream callers = current_stream(stream.device());
    if (stream == callers) continue;
    wait_for(callers, stream);
    for (const Tensor& t : results) {
      if (t.defined() && t.device() == stream.device()) record_use(t, callers);
    }
  }
}

std::optional<c10::Stream> handed_over(const Tensor& grad, const InputMetadata& expected) {
  if (!expected.has_stream() || expected.device != grad.device()) return std::nullopt;
  const c10::Stream consumer = expected.stream();
  const c10::Stream producer = current_stream(grad.device());
  if (producer == consumer) return std::nullopt;
  wait_for(consumer, producer);
  record_use(grad, consumer);
  return consumer;
}

}  // namespace torch::inline C10_ABI::autograd
