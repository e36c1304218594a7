// Custom functions: what doesn't depend on their type (see the header).
#include <torch/autograd/function.h>

#include <torch/autograd/views.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd {

namespace {

bool contains(const variable_list& tensors, const Tensor& t) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const Tensor& other) { return other.is_same(t); });
}

// forward() returned an argument unchanged: an alias, so that argument and result each have a history.
Tensor alias_of(const Tensor& t) {
  const c10::AutoGradMode off(false);
  Tensor alias = t.alias();
  alias.unsafeGetTensorImpl()->set_view_creation(c10::ViewCreation::CustomFunction);
  return alias;
}

}  // namespace

variable_list AutogradContext::get_saved_variables() const {
  variable_list found;
  for (const SavedVariable& saved : saved_) found.push_back(saved.unpack_with_history(node_));
  return found;
}

bool AutogradContext::needs_input_grad(size_t index) const {
  return index < node_->num_outputs() && node_->task_should_compute_output(index);
}

variable_list FunctionNode::record(const variable_list& inputs, variable_list&& results, bool requires_grad) {
  AutogradContext& context = context_;
  auto self = c10::intrusive_ptr<Node>::reclaim_copy(this);
  for (const Tensor& t : context.dirty_) {
    TORCH_CHECK(contains(inputs, t), name(),
                ": mark_dirty() was given a tensor that is no argument of forward()");
    TORCH_CHECK(contains(results, t), name(),
                ": an argument that was given to mark_dirty() was not returned as output: what forward() "
                "wrote to has "
                "to be among its results");
  }
  for (Tensor& result : results) {
    if (!result.defined()) {
      add_undefined_input();
      continue;
    }
    const bool is_input = contains(inputs, result), is_dirty = contains(context.dirty_, result);
    const bool differentiable = requires_grad && !contains(context.non_differentiable_, result);
    if (is_dirty) {
      result.unsafeGetTensorImpl()->bump_version();
      if (differentiable) {
        if (result.is_view()) check_writable(result, /*indirect=*/false);
        TORCH_CHECK(!(result.requires_grad() && is_leaf(result)), name(),
                    ": a leaf Variable that requires grad has been used in an in-place operation.");
        rebase_history(result, self);
      }
      continue;
    }
    if (is_input) result = alias_of(result);
    if (!differentiable) {
      if (!is_input && result.requires_grad()) result = result.detach();
      add_undefined_input();
      continue;
    }
    if (result.is_view()) result.unsafeGetTensorImpl()->set_view_creation(c10::ViewCreation::CustomFunction);
    set_history(result, self);
  }
  if (requires_grad) {
    for (const Tensor& t : context.to_save_) {
      const bool written_view = t.defined() && t.is_view() && contains(context.dirty_, t);
      context.saved_.emplace_back(t, contains(results, t), written_view);
    }
  }
  context.to_save_.clear();
  context.dirty_.clear();
  context.non_differentiable_.clear();
  return std::move(results);
}

variable_list FunctionNode::apply(variable_list&& grads) {
  if (context_.materialize_grads_) {
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined() && input_metadata(i).defined) grads[i] = input_metadata(i).zeros();
    }
  }
  variable_list all = run_backward(std::move(grads));
  TORCH_CHECK(all.size() == is_tensor_.size(), name(), ": backward() returned ", all.size(),
              " gradients, expected one for each of the ", is_tensor_.size(), " arguments of forward()");
  variable_list results;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_tensor_[i]) {
      results.push_back(std::move(all[i]));
    } else {
      TORCH_CHECK(!all[i].defined(), name(), ": backward() returned a gradient for argument ", i,
                  " of forward(), which is no tensor");
    }
  }
  return results;
}

void FunctionNode::release_variables() {
  for (SavedVariable& saved : context_.saved_) saved.reset_data();
}

}  // namespace torch::inline C10_ABI::autograd
