// Saving and unpacking tensors (see the header).
#include <torch/autograd/saved_variable.h>

#include <ATen/core/dispatch/OperatorEntry.h>
#include <torch/autograd/autograd_meta.h>

namespace torch::inline C10_ABI::autograd {

SavedVariableHooks::~SavedVariableHooks() = default;

namespace {

constinit thread_local MakeSavedVariableHooks make_hooks = nullptr;

// An alias with the same memory and version, but no history.
Tensor without_history(const Tensor& t) {
  const c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  // A subclass makes its own kind of alias, with a version of its own.
  if (C10_UNLIKELY(impl->is_python_dispatch())) {
    Tensor alias = t.detach();
    alias.unsafeGetTensorImpl()->set_version_counter(impl->version_counter());
    return alias;
  }
  return Tensor(at::TensorBase::Impl(impl->shallow_copy_and_detach(impl->version_counter(), false)));
}

}  // namespace

MakeSavedVariableHooks set_saved_variable_hooks(MakeSavedVariableHooks make) noexcept {
  return std::exchange(make_hooks, make);
}

SavedVariable::~SavedVariable() = default;

SavedVariable::SavedVariable(const Tensor& variable, bool is_output, bool is_inplace_on_view) {
  if (!variable.defined()) return;
  TORCH_CHECK(
      !variable.is_inference(),
      "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal "
      "tensor and use it in autograd.");
  defined_ = true;
  version_ = variable.unsafeGetTensorImpl()->current_version();
  const AutogradMeta* meta = meta_of(variable);
  is_original_ =
      !is_output || !variable.requires_grad() || (!is_inplace_on_view && (meta == nullptr || !meta->grad_fn));
  if (!is_original_) {
    if (is_inplace_on_view) view_node_ = c10::weak_intrusive_ptr<Node>(grad_fn_of(variable));
    output_nr_ = meta_of(variable)->output_nr;
  }
  if (C10_UNLIKELY(make_hooks != nullptr)) hooks_ = make_hooks();
  if (C10_UNLIKELY(hooks_ != nullptr)) {
    const c10::AutoGradMode off(false);
    hooks_->pack(without_history(variable));
    requires_grad_ = variable.requires_grad();
    if (is_original_) edge_ = variable.requires_grad() ? gradient_edge(variable) : Edge();
    return;
  }
  data_ = is_original_ ? variable : without_history(variable);
}

void SavedVariable::check_version(const Node* saved_for) const {
  const c10::TensorImpl* impl = data_.unsafeGetTensorImpl();
  const uint32_t version = impl->current_version();
  if (C10_LIKELY(version == version_)) return;
  const char* saved_by = saved_for != nullptr ? saved_for->operator_name() : nullptr;
  const c10::OperatorEntry* writer = impl->last_writer();
  const AutogradMeta* meta = is_original_ ? meta_of(data_) : nullptr;
  const Node* made_by = is_original_ ? (meta != nullptr ? meta->grad_fn.get() : nullptr) : saved_for;
  std::string message = c10::str(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [",
      data_.toString(), " ", data_.sizes(), "]");
  if (made_by != nullptr) {
    message += c10::str(", which is output ", meta != nullptr ? meta->output_nr : output_nr_, " of ",
                        made_by->name(), ",");
  }
  message += c10::str(" is at version ", version, "; expected version ", version_, " instead. ");
  if (saved_for != nullptr) {
    message +=
        c10::str("It was saved for ", saved_for->name(), saved_by ? " by " : "", saved_by ? saved_by : "");
    if (writer != nullptr) {
      message += c10::str(" and has been written to since, last by ", writer->qualified_name,
                          *writer->overload_name ? "." : "", writer->overload_name);
    }
    message += ". ";
  }
  TORCH_CHECK(
      false, message,
      "Hint: write out of place, or clone the tensor first; anomaly detection (set_detect_anomaly) shows the "
      "forward call whose gradient needs it.");
}

Tensor SavedVariable::unpack(Node* saved_for, bool with_history) const {
  if (!defined_) return {};
  if (C10_UNLIKELY(released_)) {
    TORCH_CHECK(saved_for != nullptr, "a saved tensor was asked for after it was freed");
    throw_released(*saved_for);
  }
  Tensor data = data_;
  if (C10_UNLIKELY(hooks_ != nullptr)) {
    data = hooks_->unpack();
    if (is_original_ && edge_.is_valid()) {
      data = without_history(data);
      set_gradient_edge(data, edge_);
    }
  } else {
    check_version(saved_for);
  }
  if (is_original_ || !with_history) return data;
  c10::intrusive_ptr<Node> node = view_node_.lock();
  if (!node && saved_for != nullptr) node = c10::intrusive_ptr<Node>::reclaim_copy(saved_for);
  Tensor result = without_history(data);
  if (node) set_gradient_edge(result, {std::move(node), output_nr_});
  return result;
}

void SavedVariable::reset_data() {
  data_.reset();
  hooks_.reset();
  release_node(std::move(edge_.function));
  released_ = true;
}

void throw_released(const Node& node) {
  TORCH_CHECK(
      false, node.name(), node.operator_name() ? " (of " : "",
      node.operator_name() ? node.operator_name() : "", node.operator_name() ? ")" : "",
      ": Trying to backward through the graph a second time (or directly access saved tensors after they "
      "have "
      "already been freed). Saved intermediate values of the graph are freed by backward() and grad(). "
      "Specify "
      "retain_graph=True if you need to backward through the graph a second time, or to access saved tensors "
      "after it.");
  __builtin_unreachable();
}

}  // namespace torch::inline C10_ABI::autograd
