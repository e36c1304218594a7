// The functions that generated autograd kernels call.
#include <torch/autograd/record.h>

#include <c10/core/InferenceMode.h>
#include <torch/autograd/views.h>

namespace torch::inline C10_ABI::autograd {

namespace {

bool has_gradients(const at::TensorBase& t) {
  return c10::isFloatingType(t.scalar_type()) || c10::isComplexType(t.scalar_type());
}

}  // namespace

// -------------------- before the operator runs

void check_inplace(const c10::OperatorEntry& op, const Tensor& self, bool requires_grad) {
  if (!requires_grad || !self.defined()) return;
  if (self.is_view()) {
    check_writable(self, /*indirect=*/false);
    TORCH_CHECK(!(self.requires_grad() && is_leaf(self._base())), op.qualified_name,
                ": a view of a leaf Variable that requires grad is being used in an in-place operation.");
  }
  TORCH_CHECK(!(self.requires_grad() && is_leaf(self)), op.qualified_name,
              ": a leaf Variable that requires grad is being used in an in-place operation.");
}

void check_inplace(const c10::OperatorEntry& op, at::TensorList tensors, bool requires_grad) {
  for (const Tensor& t : tensors) check_inplace(op, t, requires_grad);
}

void throw_out_requires_grad(const c10::OperatorEntry& op) {
  TORCH_CHECK(
      false, op.qualified_name, *op.overload_name ? "." : "", op.overload_name,
      ": functions with out=... arguments don't support automatic differentiation, but one of the arguments "
      "requires grad.");
  __builtin_unreachable();
}

void throw_no_forward(const c10::OperatorEntry& op) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Trying to use forward AD with ", op.qualified_name,
                              *op.overload_name ? "." : "", op.overload_name,
                              " that does not support it because it has not been implemented yet.");
  __builtin_unreachable();
}

// -------------------- after it ran

void set_history(const Tensor& result, const c10::intrusive_ptr<Node>& node) {
  if (!result.defined() || !has_gradients(result)) {
    node->add_undefined_input();
    return;
  }
  const uint32_t nr = node->add_input_metadata(result);
  set_gradient_edge(result, {node, nr});
}

void set_history(const std::vector<Tensor>& results, const c10::intrusive_ptr<Node>& node) {
  for (const Tensor& t : results) set_history(t, node);
}

void rebase_history(const Tensor& self, const c10::intrusive_ptr<Node>& node) {
  if (!self.defined() || !has_gradients(self)) {
    node->add_undefined_input();
    return;
  }
  const uint32_t nr = node->add_input_metadata(self);
  if (!self.is_view()) {
    move_retained_grad(self, *node, nr);
    set_gradient_edge(self, {node, nr});
    return;
  }
  TORCH_CHECK(nr == 0 && node->num_outputs() > 0, node->name(),
              ": an operator that writes to several tensors can't be recorded when one of them is a view");
  const at::TensorBase base = self._base();
  auto slices = c10::make_intrusive<CopySlices>(base, self, node);
  move_retained_grad(base, *slices, 0);
  set_gradient_edge(base, {std::move(slices), 0});
  // The view's own grad_fn is recomputed now, that of other views when it is asked for.
  materialize_meta(self);
  if (self.unsafeGetTensorImpl()->view_version() == self.unsafeGetTensorImpl()->current_version()) {
    self.unsafeGetTensorImpl()->set_view_version(self.unsafeGetTensorImpl()->current_version() - 1);
  }
  grad_fn_of(self);
}

void rebase_history(at::TensorList tensors, const c10::intrusive_ptr<Node>& node) {
  for (const Tensor& t : tensors) rebase_history(t, node);
}

void rebase_geometry(const Tensor& self, const c10::intrusive_ptr<Node>& node) {
  if (!self.is_view()) rebase_history(self, node);
}

// -------------------- views and writes

void check_inference_write(const c10::OperatorEntry& op, const at::TensorBase& t) {
  if (!t.defined()) return;
  TORCH_CHECK(c10::InferenceMode::is_enabled(), op.qualified_name, *op.overload_name ? "." : "",
              op.overload_name,
              ": Inplace update to inference tensor outside InferenceMode is not allowed. You can make a "
              "clone to get a "
              "normal tensor before doing inplace update.");
}

void set_view(const Tensor& result, const Tensor& base) {
  at::detail::set_view_of(result, base, at::detail::ViewAccess::view_creation_of(base.unsafeGetTensorImpl()));
}

void set_views(const std::vector<Tensor>& results, const Tensor& base) {
  c10::ViewCreation creation = at::detail::ViewAccess::view_creation_of(base.unsafeGetTensorImpl());
  if (creation == c10::ViewCreation::Recorded) creation = c10::ViewCreation::MultiOutput;
  for (const Tensor& t : results) at::detail::set_view_of(t, base, creation);
}

}  // namespace torch::inline C10_ABI::autograd
