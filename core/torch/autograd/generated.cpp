#include <torch/autograd/generated.h>

namespace torch::inline C10_ABI::autograd::generated {

std::vector<Tensor> unpack_list(const SavedList& saved, Node* saved_for) {
  std::vector<Tensor> tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& one : saved) tensors.push_back(one.unpack(saved_for));
  return tensors;
}

c10::List<std::optional<Tensor>> unpack_optional_list(const SavedList& saved, Node* saved_for) {
  c10::List<std::optional<Tensor>> tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& one : saved) {
    Tensor value = one.unpack(saved_for);
    tensors.push_back(value.defined() ? std::optional<Tensor>(std::move(value)) : std::nullopt);
  }
  return tensors;
}

void release_list(SavedList& saved) {
  for (SavedVariable& one : saved) one.reset_data();
}

Tensor tangent_of(const Tensor& t) {
  Tensor found = tangent_or_zeros(t);
  // As the tangent of a Python scalar, it must not decide a result's dtype.
  if (found.defined() && t.unsafeGetTensorImpl()->is_wrapped_number() && !tangent(t).defined()) {
    found.unsafeGetTensorImpl()->set_wrapped_number(true);
  }
  return found;
}

void copy_range(variable_list& to, size_t first, size_t end, at::TensorList grads) {
  TORCH_CHECK(grads.size() == end - first, "the formula for ", end - first, " tensors of a list gave ",
              grads.size(), " gradients");
  for (size_t i = 0; i < grads.size(); ++i) to[first + i] = grads[i];
}

void throw_no_formula(const c10::OperatorEntry& op, const char* argument) {
  TORCH_CHECK(false, op.qualified_name, "(): the derivative for '", argument,
              "' is not implemented: there is no formula for this argument, so it may not require grad; "
              "detach() it if none is needed");
}

}  // namespace torch::inline C10_ABI::autograd::generated
