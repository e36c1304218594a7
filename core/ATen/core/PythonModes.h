// Where the dispatcher passes calls to a language binding: under the keys Python (below autograd: tensor
// subclasses and modes) and PreDispatch (above autograd and all decompositions: modes). The binding keeps the
// stacks of modes.
#pragma once
#include <ATen/core/boxing/Signature.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace c10::inline C10_ABI {
class OperatorHandle;
}

namespace at::inline C10_ABI {
namespace impl {

// Each pops the arguments from the stack and pushes the results.
struct PythonModeHooks {
  void (*dispatch)(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack);
  void (*pre_dispatch)(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack);
};

// The table must live as long as the process; nullptr when the binding is unloaded.
C10_API void set_python_mode_hooks(const PythonModeHooks* hooks);

// The kernels of these keys for every operator. Throw c10::Error where there is no binding.
C10_API void python_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack);
C10_API void pre_dispatch_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack);

// Whether this thread's calls go to the binding's modes. The binding sets it when the first mode of a kind is
// entered and clears it when the last is left.
inline void set_python_modes_active(bool active) {
  c10::impl::tls_set_dispatch_key_included(c10::DispatchKey::Python, active);
  c10::impl::tls_set_dispatch_key_included(c10::DispatchKey::PythonTLSSnapshot, active);
}
inline void set_pre_dispatch_modes_active(bool active) {
  c10::impl::tls_set_dispatch_key_included(c10::DispatchKey::PreDispatch, active);
}

// Calls within skip all modes and tensor subclasses.
class DisablePythonModes {
 public:
  DisablePythonModes() : guard_(c10::python_ks | c10::DispatchKeySet(c10::DispatchKey::PreDispatch)) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

}  // namespace impl
}  // namespace at::inline C10_ABI
