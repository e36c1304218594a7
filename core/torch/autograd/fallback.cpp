// The autograd fallback: operators registered without an autograd kernel.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/dispatch/OperatorHandle.h>
#include <ATen/core/ivalue.h>
#include <c10/core/DispatchKeySet.h>
#include <torch/autograd/record.h>

namespace torch::inline C10_ABI::autograd {

namespace {

void add_tensors(variable_list& to, const c10::IValue& value) {
  if (value.isTensor()) {
    to.push_back(value.toTensor<Tensor>());
  } else if (value.isTensorList()) {
    for (Tensor& t : value.toTensorVector<Tensor>()) to.push_back(std::move(t));
  }
}

variable_list last_tensors(const c10::Stack& stack, size_t count) {
  variable_list found;
  for (size_t i = stack.size() - std::min(count, stack.size()); i < stack.size(); ++i) {
    add_tensors(found, stack[i]);
  }
  return found;
}

// Runs the operator, and gives its results a node whose backward throws that there is no derivative. Throws
// for arguments with a tangent.
void record_without_formula(const c10::OperatorHandle& op, c10::DispatchKeySet keys, c10::Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::after_autograd_keyset;
  const variable_list inputs = last_tensors(*stack, op.schema().arguments().size());
  bool any_requires_grad = false;
  for (const Tensor& t : inputs) {
    if (t.defined() && any_tangent(t)) throw_no_forward(op.entry());
    any_requires_grad |= t.defined() && compute_requires_grad(t);
  }
  if (!any_requires_grad) return op.redispatchBoxed(below, stack);
  const c10::intrusive_ptr<Node> node =
      make_not_implemented(op.entry(), at::TensorList(inputs.data(), inputs.size()));
  {
    // What the kernel calls is not recorded: its gradient would hide that the operator has none.
    const at::AutoDispatchBelowAutograd guard;
    op.redispatchBoxed(below, stack);
  }
  for (const Tensor& result : last_tensors(*stack, op.schema().returns().size())) {
    if (result.defined() && !result.requires_grad()) set_history(result, node);
  }
}

constexpr c10::DispatchKey autograd_keys[] = {
    c10::DispatchKey::AutogradOther, c10::DispatchKey::AutogradCPU,  c10::DispatchKey::AutogradCUDA,
    c10::DispatchKey::AutogradXLA,   c10::DispatchKey::AutogradMPS,  c10::DispatchKey::AutogradXPU,
    c10::DispatchKey::AutogradHPU,   c10::DispatchKey::AutogradLazy, c10::DispatchKey::AutogradMTIA,
    c10::DispatchKey::AutogradMAIA,  c10::DispatchKey::AutogradMeta, c10::DispatchKey::AutogradPrivateUse1,
};

[[maybe_unused]] const bool fallbacks_are_set = [] {
  for (c10::DispatchKey key : autograd_keys) {
    c10::Dispatcher::singleton().setDefaultFallback(
        key, c10::KernelFunction::makeFromBoxedFunction<&record_without_formula>());
  }
  return true;
}();

}  // namespace

}  // namespace torch::inline C10_ABI::autograd
