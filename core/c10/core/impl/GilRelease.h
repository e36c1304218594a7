// Releases the GIL while a long kernel runs. The core knows no Python: the binding sets the two functions.
#pragma once

#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {
namespace impl {

struct GilHooks {
  /// Releases the GIL if this thread holds it: a token for reacquire, or null if there was nothing to
  /// release.
  void* (*release)();
  void (*reacquire)(void* token);
};
C10_API void set_gil_hooks(const GilHooks* hooks) noexcept;

/// Releases the GIL until it is destroyed; does nothing when the thread doesn't hold it.
class C10_API GilRelease {
 public:
  GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease();

 private:
  const GilHooks* hooks_;
  void* token_;
};

}  // namespace impl
}  // namespace c10::inline C10_ABI
