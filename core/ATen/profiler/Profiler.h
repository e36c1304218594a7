// Records what a thread calls: operators, nodes of backward passes and ranges that programs name, with their
// times, the shapes of operators' tensors, and the memory that is taken from the host allocator.
//
// A thread that records includes a dispatch key in its calls that is above all layers; the key's kernel for
// every operator records the call and passes it on. A thread that doesn't isn't asked by any operator.
#pragma once
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace at::inline C10_ABI {
namespace profiler {

// A key of PyTorch's that nothing else uses here. Autocast, transforms and autograd are below it.
inline constexpr c10::DispatchKey kRecordingKey = c10::DispatchKey::DeferredInit;

enum class EventKind : uint8_t { Operator, Node, Range };

// A tensor argument has one `sizes`, a list of tensors several, other arguments none.
struct Input {
  std::string type;
  std::vector<std::vector<int64_t>> sizes;
  bool is_list;
};

struct Event {
  const char* name;
  EventKind kind;
  int32_t parent;  // index of the event around it; -1: none
  int64_t start_ns, end_ns = 0;
  std::vector<Input> inputs;
};

// Memory that was allocated (bytes > 0) or freed within an event (-1: outside).
struct MemoryEvent {
  int64_t time_ns, bytes;
  uint64_t address;
  int32_t event;
};

struct Recording {
  bool with_shapes, with_memory;
  std::vector<Event> events;  // in the order of their starts
  std::vector<MemoryEvent> memory;
  std::deque<std::string> names;  // of events whose names don't live as long as the process
  int64_t stopped_ns = 0;
};

C10_API int64_t now_ns();

/// Starts recording the calls of this thread. Throws c10::Error if it records already, and for `with_memory`
/// where a program's own allocator may not be replaced.
C10_API void start_recording(bool with_shapes, bool with_memory);
/// Stops it; events that have not ended end now. Throws if the thread doesn't record.
C10_API Recording stop_recording();

inline bool is_recording() { return c10::impl::raw_local_dispatch_key_set.included().has(kRecordingKey); }

/// An index for end_range(); -1 where nothing is recorded.
C10_API int64_t begin_range(EventKind kind, std::string name);
/// Ends the event of this recording, and all within it.
C10_API void end_range(int64_t index);

/// Records its scope, if this thread records. `prefix` and `name` must live as long as it does.
class RangeGuard {
 public:
  RangeGuard(EventKind kind, const char* prefix, const char* name) {
    if (C10_UNLIKELY(is_recording())) index_ = begin_range(kind, std::string(prefix) + name);
  }
  RangeGuard(const RangeGuard&) = delete;
  RangeGuard& operator=(const RangeGuard&) = delete;
  ~RangeGuard() {
    if (C10_UNLIKELY(index_ >= 0)) end_range(index_);
  }

 private:
  int64_t index_ = -1;
};

}  // namespace profiler
}  // namespace at::inline C10_ABI
