// Inference mode: tensors made in it have no version counter and can't require grad; calls skip the Autograd
// and ADInplaceOrView layers.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {

class InferenceMode {
 public:
  explicit InferenceMode(bool enabled = true)
      : previous_state_(AutogradState::get_tls_state()), previous_keys_(impl::tls_local_dispatch_key_set()) {
    AutogradState state = previous_state_;
    state.grad_mode = !enabled;
    state.inference_mode = enabled;
    state.fw_grad_mode = !enabled;
    AutogradState::set_tls_state(state);
    impl::LocalDispatchKeySet keys = previous_keys_;
    // Nothing is recorded below Autograd any more, and ADInplaceOrView isn't forced on views of normal
    // tensors.
    keys.included_ = enabled ? keys.included_.remove(DispatchKey::ADInplaceOrView)
                             : keys.included_.add(DispatchKey::ADInplaceOrView);
    keys.excluded_ =
        enabled ? (keys.excluded_ | autograd_dispatch_keyset) : (keys.excluded_ - autograd_dispatch_keyset);
    impl::_force_tls_local_dispatch_key_set(keys);
  }
  InferenceMode(const InferenceMode&) = delete;
  InferenceMode& operator=(const InferenceMode&) = delete;
  ~InferenceMode() {
    AutogradState::set_tls_state(previous_state_);
    impl::_force_tls_local_dispatch_key_set(previous_keys_);
  }

  static bool is_enabled() { return AutogradState::get_tls_state().get_inference_mode(); }

 private:
  AutogradState previous_state_;
  impl::LocalDispatchKeySet previous_keys_;
};

}  // namespace c10::inline C10_ABI
