// Recording (see the header).
#include <ATen/profiler/Profiler.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/profiler/CountingAllocator.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <pthread.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace at::inline C10_ABI {
namespace profiler {

namespace {

// The state of a thread that records. Indices that end_range() takes contain the number of the recording, as
// one may end while events of it are open.
struct State {
  Recording recording;
  int32_t current = -1;
  uint32_t number = 0;
  std::optional<CountedMemory> counted;
};

constinit thread_local State* state = nullptr;
thread_local uint32_t recordings_made = 0;

// Frees the state of a thread that ends while it records.
struct Owner {
  ~Owner() { delete std::exchange(state, nullptr); }
};
thread_local Owner owner;

int64_t begin(State& s, EventKind kind, const char* name, std::vector<Input> inputs = {}) {
  const auto index = static_cast<int32_t>(s.recording.events.size());
  s.recording.events.push_back({name, kind, s.current, 0, 0, std::move(inputs)});
  s.current = index;
  s.recording.events.back().start_ns = now_ns();
  return static_cast<int64_t>(s.number) << 32 | index;
}

Input described(const c10::IValue& value) {
  if (value.isTensor()) {
    const TensorBase& t = value.toTensorBase();
    if (!t.defined()) return {"", {}, false};
    return {c10::toString(t.scalar_type()), {t.sizes().vec()}, false};
  }
  if (value.isTensorList()) {
    Input list{"TensorList", {}, true};
    for (const c10::IValue& each : value.toListRef()) {
      if (each.isTensor() && each.toTensorBase().defined()) {
        list.sizes.push_back(each.toTensorBase().sizes().vec());
      }
    }
    return list;
  }
  const bool is_number = value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
  return {is_number ? "Scalar" : "", {}, false};
}

std::vector<Input> inputs_of(const c10::OperatorHandle& op, const c10::Stack& stack) {
  const size_t count = op.schema().arguments().size();
  std::vector<Input> inputs;
  inputs.reserve(count);
  for (size_t i = stack.size() - count; i < stack.size(); ++i) inputs.push_back(described(stack[i]));
  return inputs;
}

class OpenEvent {
 public:
  explicit OpenEvent(int64_t index) : index_(index) {}
  OpenEvent(const OpenEvent&) = delete;
  ~OpenEvent() { end_range(index_); }

 private:
  int64_t index_;
};

void recorded_call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, c10::Stack* stack) {
  const c10::DispatchKeySet below =
      keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kRecordingKey);
  if (state == nullptr) {
    // The recording was stopped within a scope that restored the thread's keys at its end.
    c10::impl::tls_set_dispatch_key_included(kRecordingKey, false);
    return op.redispatchBoxed(below, stack);
  }
  std::vector<Input> inputs;
  if (state->recording.with_shapes) inputs = inputs_of(op, *stack);
  const OpenEvent event(begin(*state, EventKind::Operator, op.entry().qualified_name, std::move(inputs)));
  op.redispatchBoxed(below, stack);
}

// A process that is forked within a recording, such as a worker of a data loader, doesn't go on with it. What
// was recorded is left: another thread may have held a lock that freeing it takes.
void forget_in_child() {
  if (state == nullptr) return;
  state = nullptr;
  c10::impl::tls_set_dispatch_key_included(kRecordingKey, false);
}

// Registered on the first recording, and then kept: tables of operators are made again only once.
void register_kernel() {
  static const bool registered = [] {
    new c10::RegistrationHandleRAII(c10::Dispatcher::singleton().registerFallback(
        kRecordingKey, c10::KernelFunction::makeFromBoxedFunction<&recorded_call>(), "the profiler"));
    return ::pthread_atfork(nullptr, nullptr, &forget_in_child) == 0;
  }();
  TORCH_CHECK(registered, "the profiler: a handler for forked processes can't be registered");
}

}  // namespace

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void note_memory(uint64_t address, int64_t bytes) {
  if (state == nullptr || !state->recording.with_memory) return;
  state->recording.memory.push_back({now_ns(), bytes, address, state->current});
}

void start_recording(bool with_shapes, bool with_memory) {
  TORCH_CHECK(state == nullptr, "Profiler is already enabled on this thread.");
  register_kernel();
  auto made = std::make_unique<State>();
  made->recording.with_shapes = with_shapes;
  made->recording.with_memory = with_memory;
  made->number = ++recordings_made & 0x7fffffff;
  if (with_memory) made->counted.emplace();
  (void)&owner;
  state = made.release();
  c10::impl::tls_set_dispatch_key_included(kRecordingKey, true);
}

Recording stop_recording() {
  TORCH_CHECK(state != nullptr, "Can't disable the profiler when it's not running on this thread.");
  const std::unique_ptr<State> ended(std::exchange(state, nullptr));
  c10::impl::tls_set_dispatch_key_included(kRecordingKey, false);
  ended->recording.stopped_ns = now_ns();
  for (Event& event : ended->recording.events) {
    if (event.end_ns == 0) event.end_ns = ended->recording.stopped_ns;
  }
  return std::move(ended->recording);
}

int64_t begin_range(EventKind kind, std::string name) {
  if (state == nullptr) return -1;
  const std::string& kept = state->recording.names.emplace_back(std::move(name));
  return begin(*state, kind, kept.c_str());
}

void end_range(int64_t index) {
  if (state == nullptr || index < 0 || static_cast<uint32_t>(index >> 32) != state->number) return;
  const auto wanted = static_cast<int32_t>(index & 0xffffffff);
  std::vector<Event>& events = state->recording.events;
  if (events[wanted].end_ns != 0) return;
  const int64_t now = now_ns();
  // Events within it that are still open end with it.
  for (int32_t open = state->current; open > wanted; open = events[open].parent) events[open].end_ns = now;
  events[wanted].end_ns = now;
  state->current = events[wanted].parent;
}

}  // namespace profiler
}  // namespace at::inline C10_ABI
