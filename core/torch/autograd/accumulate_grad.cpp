// Accumulation into a leaf's gradient.
#include <torch/autograd/accumulate_grad.h>

#include <c10/core/GradMode.h>
#include <torch/autograd/autograd_meta.h>

#include <ATen/ops/empty_strided.h>

namespace torch::inline C10_ABI::autograd {

namespace {

// A gradient gets its tensor's layout where that is dense, so that both can be iterated together. The stride
// of a dimension of size 1 may differ, but not be 0, as it is after an expansion.
bool is_laid_out_as(const Tensor& grad, const Tensor& variable) {
  if (!variable.is_non_overlapping_and_dense()) return grad.is_contiguous();
  if (grad.sizes() != variable.sizes()) return false;
  for (int64_t d = 0; d < grad.dim(); ++d) {
    if (grad.size(d) == 1 ? grad.stride(d) == 0 : grad.stride(d) != variable.stride(d)) return false;
  }
  return true;
}

// Where the tensor's data was since replaced by data of another shape, the gradient is expanded to that or
// refused, as in PyTorch.
Tensor clone_laid_out_as(const Tensor& grad, const Tensor& variable) {
  if (!variable.is_non_overlapping_and_dense()) return grad.clone(c10::MemoryFormat::Contiguous);
  return at::empty_strided(variable.sizes(), variable.strides(), grad.options()).copy_(grad);
}

// Whether nothing else refers to the gradient or its memory.
bool is_unshared(const Tensor& grad) {
  return grad.use_count() == 1 && !grad.requires_grad() && grad.has_storage() &&
         grad.storage().use_count() == (grad.is_view() ? 2 : 1);
}

// The same for the tensor that the gradient is a view of, which must be all of it: a part would keep the
// memory of the whole. Tangents and Python objects of a subclass would be lost with the view.
bool is_whole_view(const Tensor& grad) {
  const c10::TensorImpl& view = *grad.unsafeGetTensorImpl();
  const auto& base = view.view_base();
  return base.use_count() == 1 && base->has_storage() && grad.storage().is_alias_of(base->storage()) &&
         base->numel() == view.numel() && base->scalar_type() == view.scalar_type() && !view.is_tracked() &&
         !view.is_python_dispatch() && view.pyobj_slot()->pyobj() == nullptr;
}

// The first gradient. One without other references is stolen rather than copied.
Tensor first(const Tensor& variable, Tensor&& grad) {
  if (c10::GradMode::is_enabled() || !is_unshared(grad) || !is_laid_out_as(grad, variable)) {
    return clone_laid_out_as(grad, variable);
  }
  if (!grad.is_view()) return std::move(grad);
  if (!is_whole_view(grad)) return clone_laid_out_as(grad, variable);
  return Tensor(at::TensorBase::Impl(grad.unsafeGetTensorImpl()->shallow_copy_and_detach(
      c10::VariableVersion(), /*allow_tensor_metadata_change=*/true)));
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
