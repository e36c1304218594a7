// Grad mode and forward-mode AD, per thread, and guards that change them.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {

struct GradMode {
  static bool is_enabled() { return AutogradState::get_tls_state().get_grad_mode(); }
  static void set_enabled(bool enabled) { AutogradState::get_tls_state().set_grad_mode(enabled); }
};

/// Sets grad mode until it is destroyed.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool enabled) : previous_(GradMode::is_enabled()) { GradMode::set_enabled(enabled); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;
  ~AutoGradMode() { GradMode::set_enabled(previous_); }

 private:
  bool previous_;
};

struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};

/// Sets forward-mode AD until it is destroyed.
class AutoFwGradMode {
 public:
  explicit AutoFwGradMode(bool enabled) : previous_(AutogradState::get_tls_state().get_fw_grad_mode()) {
    AutogradState::get_tls_state().set_fw_grad_mode(enabled);
  }
  AutoFwGradMode(const AutoFwGradMode&) = delete;
  AutoFwGradMode& operator=(const AutoFwGradMode&) = delete;
  ~AutoFwGradMode() { AutogradState::get_tls_state().set_fw_grad_mode(previous_); }

 private:
  bool previous_;
};

}  // namespace c10::inline C10_ABI
