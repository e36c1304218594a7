// Calls of the Python binding's modes.
#include <ATen/core/PythonModes.h>

#include <ATen/core/dispatch/OperatorHandle.h>
#include <c10/util/Exception.h>

#include <atomic>

namespace at::inline C10_ABI {
namespace impl {

namespace {
std::atomic<const PythonModeHooks*> current_hooks{nullptr};

const PythonModeHooks& hooks_for(const c10::OperatorHandle& op, c10::DispatchKey key) {
  const PythonModeHooks* hooks = current_hooks.load(std::memory_order_acquire);
  TORCH_CHECK(hooks, op.operator_name(), ": called with dispatch key ", key,
              ", but no Python interpreter is attached");
  return *hooks;
}
}  // namespace

void set_python_mode_hooks(const PythonModeHooks* hooks) {
  current_hooks.store(hooks, std::memory_order_release);
}

void python_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack) {
  hooks_for(op, c10::DispatchKey::Python).dispatch(op, ks, stack);
}

void pre_dispatch_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack) {
  hooks_for(op, c10::DispatchKey::PreDispatch).pre_dispatch(op, ks, stack);
}

}  // namespace impl
}  // namespace at::inline C10_ABI
