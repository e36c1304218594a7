// The thread's grad mode, inference mode and the like.
#pragma once

#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {

struct AutogradState {
  bool grad_mode;       // operations are recorded
  bool inference_mode;  // new tensors carry no autograd keys
  bool fw_grad_mode;
  bool multithreading_enabled;

  static inline AutogradState& get_tls_state();
  static void set_tls_state(AutogradState state) { get_tls_state() = state; }

  bool get_grad_mode() const { return grad_mode; }
  void set_grad_mode(bool enabled) { grad_mode = enabled; }
  bool get_inference_mode() const { return inference_mode; }
  void set_inference_mode(bool enabled) { inference_mode = enabled; }
  bool get_fw_grad_mode() const { return fw_grad_mode; }
  void set_fw_grad_mode(bool enabled) { fw_grad_mode = enabled; }
};

namespace impl {
// constinit on the declaration, so that access needs no call to an initialisation function.
extern C10_API constinit thread_local AutogradState raw_autograd_state;
}  // namespace impl

inline AutogradState& AutogradState::get_tls_state() { return impl::raw_autograd_state; }

}  // namespace c10::inline C10_ABI
