// Accumulation into a leaf's gradient.
#include <torch/autograd/accumulate_grad.h>

#include <c10/core/GradMode.h>
#include <torch/autograd/autograd_meta.h>

#include <ATen/ops/empty_strided.h>

namespace torch::inline C10_ABI::autograd {

namespace {

// A gradient gets its tensor's layout where that is dense, so that both can be iterated together.
bool is_laid_out_as(const Tensor& grad, const Tensor& variable) {
  return variable.is_non_overlapping_and_dense() ? grad.strides() == variable.strides()
                                                 : grad.is_contiguous();
}

// Where the tensor's data was since replaced by data of another shape, the gradient is expanded to that or
// refused, as in PyTorch.
Tensor clone_laid_out_as(const Tensor& grad, const Tensor& variable) {
  if (!variable.is_non_overlapping_and_dense()) return grad.clone(c10::MemoryFormat::Contiguous);
  return at::empty_strided(variable.sizes(), variable.strides(), grad.options()).copy_(grad);
}

// The first gradient. One without other references is stolen rather than copied.
Tensor first(const Tensor& variable, Tensor&& grad) {
  const bool own = !c10::GradMode::is_enabled() && grad.use_count() == 1 && !grad.is_view() &&
                   !grad.requires_grad() && grad.storage().use_count() == 1;
  if (own && is_laid_out_as(grad, variable)) return std::move(grad);
  return clone_laid_out_as(grad, variable);
}

}  // namespace

AccumulateGrad::AccumulateGrad(Tensor v) : Node(kLeaf), variable(std::move(v)) {
  add_input_metadata(variable);
}

std::vector<TensorHook>* AccumulateGrad::tensor_hooks() {
  const AutogradMeta* meta = meta_of(variable);
  return meta != nullptr && meta->leaf_hooks ? &meta->leaf_hooks->tensor_hooks : nullptr;
}

variable_list AccumulateGrad::apply(variable_list&& grads) {
  Tensor new_grad = std::move(grads[0]);
  if (!new_grad.defined() || !variable.requires_grad()) return {};
  AutogradMeta& meta = materialize_meta(variable);
  {
    const NodeGuard guard(mutex());
    Tensor grad = meta.gradient();  // held: functions called here may set another one
    if (!grad.defined()) {
      meta.set_gradient(first(variable, std::move(new_grad)));
    } else if (c10::GradMode::is_enabled()) {
      meta.set_gradient(grad.add(new_grad));
    } else {
      grad.add_(new_grad);
    }
  }
  if (C10_UNLIKELY(meta.leaf_hooks != nullptr)) {
    const auto hooks = copied(meta.leaf_hooks->post_accumulate_hooks);
    for (const auto& registered : hooks) (*registered.hook)({variable}, {});
  }
  return {};
}

}  // namespace torch::inline C10_ABI::autograd
