// Generated from templates/src/autograd.cpp.mako; not to be edited.
// Backward nodes with their formulas; the kernels of Autograd, which record operators, and of ADInplaceOrView.
#include <ATen/core/Tensor.h>
#include <ATen/TensorOperators.h>
#include <torch/autograd/generated.h>
#include <formulas.h>
#include <ATen/ops/acme_rank_ops.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/gauss_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/update_ops.h>
#include <ATen/ops/window_ops.h>
#include <ATen/ops/window_copy_ops.h>
#include <ATen/ops/turn.h>
#include <ATen/ops/window.h>

namespace torch::inline C10_ABI::autograd::generated {

using at::IntArrayRef;
using at::Scalar;
using at::Tensor;
using at::TensorList;
using namespace details;

namespace {

struct ScaleBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "ScaleBackward0"; }
  const char* operator_name() const override { return "aten::scale.Tensor"; }
  void release_variables() override {
    const NodeGuard _guard(mutex());
    other_.reset_data();
    self_.reset_data();
  }
  at::Scalar alpha{};
  SavedVariable other_{};
  std::vector<c10::SymInt> other_sym_sizes{};
  SavedVariable self_{};
};

variable_list ScaleBackward0::apply(variable_list&& grads) {
  Tensor other;
  Tensor self;
  {
    const NodeGuard _guard(mutex());
    other = other_.unpack(this);
    self = self_.unpack(this);
  }
  variable_list _grad_inputs(2);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(1)) {  // ScaleBackward0: other
    _grad_inputs[1] = (grad * self * alpha).reshape_symint(other_sym_sizes);
  }
  if (task_should_compute_output(0)) {  // ScaleBackward0: self
    _grad_inputs[0] = grad * other * alpha;
  }
  return _grad_inputs;
}

struct FoldBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "FoldBackward0"; }
  const char* operator_name() const override { return "aten::fold.dim"; }
  void release_variables() override {
    const NodeGuard _guard(mutex());
    indices_.reset_data();
  }
  int64_t dim{};
  bool keepdim{};
  std::vector<c10::SymInt> self_sym_sizes{};
  SavedVariable indices_{};
};

variable_list FoldBackward0::apply(variable_list&& grads) {
  Tensor indices;
  {
    const NodeGuard _guard(mutex());
    indices = indices_.unpack(this);
  }
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // FoldBackward0: self
    _grad_inputs[0] = unfolded(grad, indices, self_sym_sizes, dim, keepdim);
  }
  return _grad_inputs;
}

struct TurnBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "TurnBackward0"; }
  const char* operator_name() const override { return "aten::turn"; }
  std::vector<int64_t> dims{};
  std::vector<int64_t> shifts{};
};

variable_list TurnBackward0::apply(variable_list&& grads) {
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // TurnBackward0: self
    _grad_inputs[0] = turned_back(grad, shifts, dims);
  }
  return _grad_inputs;
}

struct TurnBackwardAutogradCUDA0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "TurnBackwardAutogradCUDA0"; }
  const char* operator_name() const override { return "aten::turn"; }
  std::vector<int64_t> dims{};
  std::vector<int64_t> shifts{};
};

variable_list TurnBackwardAutogradCUDA0::apply(variable_list&& grads) {
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // TurnBackwardAutogradCUDA0: self
    _grad_inputs[0] = turned_back(grad.contiguous(), shifts, dims);
  }
  return _grad_inputs;
}

struct WindowBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "WindowBackward0"; }
  const char* operator_name() const override { return "aten::window"; }
  ::std::optional<c10::SymInt> offset{};
  std::vector<c10::SymInt> self_sym_sizes{};
  std::vector<c10::SymInt> size{};
};

variable_list WindowBackward0::apply(variable_list&& grads) {
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // WindowBackward0: self
    _grad_inputs[0] = window_backward(grad, self_sym_sizes, size, offset);
  }
  return _grad_inputs;
}

struct WindowBackward0_copy final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "WindowBackward0_copy"; }
  const char* operator_name() const override { return "aten::window_copy"; }
  ::std::optional<c10::SymInt> offset{};
  std::vector<c10::SymInt> self_sym_sizes{};
  std::vector<c10::SymInt> size{};
};

variable_list WindowBackward0_copy::apply(variable_list&& grads) {
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // WindowBackward0_copy: self
    _grad_inputs[0] = window_backward(grad, self_sym_sizes, size, offset);
  }
  return _grad_inputs;
}

struct JoinBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "JoinBackward0"; }
  const char* operator_name() const override { return "aten::join"; }
  int64_t dim{};
  ::std::vector<::std::vector<c10::SymInt>> tensors_args_sizes_symint{};
  size_t tensors_size_ = 0;
};

variable_list JoinBackward0::apply(variable_list&& grads) {
  variable_list _grad_inputs(tensors_size_);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0, tensors_size_)) {  // JoinBackward0: tensors
    copy_range(_grad_inputs, 0, tensors_size_, parted(grad, tensors_args_sizes_symint, dim));
  }
  return _grad_inputs;
}

struct UpdateBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "UpdateBackward0"; }
  const char* operator_name() const override { return "aten::update"; }
  double momentum{};
};

variable_list UpdateBackward0::apply(variable_list&& grads) {
  variable_list _grad_inputs(1);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0)) {  // UpdateBackward0: self
    _grad_inputs[0] = grad * (1 - momentum);
  }
  return _grad_inputs;
}

struct PourBackward0 final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "PourBackward0"; }
  const char* operator_name() const override { return "aten::pour_"; }
  at::TensorOptions source_options{};
};

variable_list PourBackward0::apply(variable_list&& grads) {
  variable_list _grad_inputs(2);
  if (!any_defined(grads)) return _grad_inputs;
  [[maybe_unused]] const Tensor& grad = grads[0];
  if (task_should_compute_output(0) || task_should_compute_output(1)) {  // PourBackward0: self, source
    const std::array<bool, 2> grad_input_mask{task_should_compute_output(0), task_should_compute_output(1)};
    auto _gradients = poured(grad, source_options, grad_input_mask);
    if (task_should_compute_output(0)) _grad_inputs[0] = std::move(std::get<0>(_gradients));
    if (task_should_compute_output(1)) _grad_inputs[1] = std::move(std::get<1>(_gradients));
  }
  return _grad_inputs;
}

C10_NOINLINE at::Tensor recorded_Autograd_scale_Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  const bool _requires_grad = compute_requires_grad(self, other);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<ScaleBackward0>(_node, self, other);
    _made.alpha = alpha;
    if (_made.next_edge(0).is_valid()) _made.other_ = SavedVariable(other, false);
    _made.other_sym_sizes = other.sym_sizes().vec();
    if (_made.next_edge(1).is_valid()) _made.self_ = SavedVariable(self, false);
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::scale_Tensor::schema>(_keys & c10::after_autograd_keyset, self, other, alpha);
  }();
  if (_node) {
    set_history(result, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self, other)) {  // ScaleBackward0: tangent of result
      Tensor self_t = tangent_of(self);
      Tensor other_t = tangent_of(other);
      const Tensor self_p = primal_of(self);
      const Tensor other_p = primal_of(other);
      _tangent0 = self_t * other_p + self_p * other_t;
    }
    set_tangent(result, _tangent0, false);
  }
  return result;
}

C10_NOINLINE at::Tensor & recorded_Autograd_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  const bool _requires_grad = compute_requires_grad(self, other);
  check_inplace(_op, self, _requires_grad);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<ScaleBackward0>(_node, self, other);
    _made.alpha = alpha;
    if (_made.next_edge(0).is_valid()) _made.other_ = SavedVariable(other, false);
    _made.other_sym_sizes = other.sym_sizes().vec();
    if (_made.next_edge(1).is_valid()) _made.self_ = SavedVariable(self.clone(), false);
  }
  const Tensor original_self = any_tangent(self, other) ? self.clone() : Tensor();
  {
    const at::AutoDispatchBelowAutograd _below;
    _op.redispatch<at::_ops::scale__Tensor::schema>(_keys & c10::after_autograd_keyset, self, other, alpha);
  }
  if (_node) {
    rebase_history(self, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self, other)) {  // ScaleBackward0: tangent of result
      const Tensor self_t_raw = tangent(self);
      Tensor self_t = tangent_of(self);
      Tensor other_t = tangent_of(other);
      const Tensor self_p = primal_of(self);
      const Tensor other_p = primal_of(other);
      [[maybe_unused]] const Tensor original_self_p = primal_of(original_self);
      [[maybe_unused]] const Tensor original_self_t = tangent_of(original_self);
      _tangent0 = self_t_raw.defined() ? self_t_raw.copy_(original_self_t * other_p + original_self_p * other_t) : original_self_t * other_p + original_self_p * other_t;
    }
    set_tangent(self, _tangent0, true);
  }
  return self;
}

C10_NOINLINE ::std::tuple<at::Tensor,at::Tensor> recorded_Autograd_fold_dim(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim) {
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<FoldBackward0>(_node, self);
    _made.dim = dim;
    _made.keepdim = keepdim;
    _made.self_sym_sizes = self.sym_sizes().vec();
  }
  auto _result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::fold_dim::schema>(_keys & c10::after_autograd_keyset, self, dim, keepdim);
  }();
  [[maybe_unused]] auto& [values, indices] = _result;
  if (_node) {
    set_history(values, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self)) {  // FoldBackward0: tangent of values
      Tensor self_t = tangent_of(self);
      _tangent0 = gathered(self_t, indices, dim, keepdim);
    }
    set_tangent(values, _tangent0, false);
  }
  if (_node) {
    auto& _made = static_cast<FoldBackward0&>(*_node);
    _made.indices_ = SavedVariable(indices, true);
  }
  return _result;
}

C10_NOINLINE at::Tensor recorded_Autograd_turn(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<TurnBackward0>(_node, self);
    _made.dims = dims.vec();
    _made.shifts = shifts.vec();
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::turn::schema>(_keys & c10::after_autograd_keyset, self, shifts, dims);
  }();
  if (_node) {
    set_history(result, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self)) {  // TurnBackward0: tangent of result
      Tensor self_t = tangent_of(self);
      _tangent0 = at::turn(self_t, shifts, dims);
    }
    set_tangent(result, _tangent0, false);
  }
  return result;
}

C10_NOINLINE at::Tensor recorded_AutogradCUDA_turn(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  if (any_tangent(self)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<TurnBackwardAutogradCUDA0>(_node, self);
    _made.dims = dims.vec();
    _made.shifts = shifts.vec();
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::turn::schema>(_keys & c10::after_autograd_keyset, self, shifts, dims);
  }();
  if (_node) {
    set_history(result, _node);
  }
  return result;
}

C10_NOINLINE at::Tensor recorded_Autograd_window(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<WindowBackward0>(_node, self);
    _made.offset = offset;
    _made.self_sym_sizes = self.sym_sizes().vec();
    _made.size = size.vec();
  }
  auto result = [&] {
    const at::AutoDispatchBelowAutograd _below;
    return _op.redispatch<at::_ops::window::schema>(_keys & c10::after_autograd_keyset, self, size, offset);
  }();
  if (_node) {
    set_history(result, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self)) {  // WindowBackward0: tangent of result
      Tensor self_t = tangent_of(self);
      _tangent0 = at::window_symint(self_t, size, offset);
    }
    set_tangent(result, _tangent0, false);
  }
  return result;
}

C10_NOINLINE at::Tensor recorded_Autograd_window_copy(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<WindowBackward0_copy>(_node, self);
    _made.offset = offset;
    _made.self_sym_sizes = self.sym_sizes().vec();
    _made.size = size.vec();
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::window_copy::schema>(_keys & c10::after_autograd_keyset, self, size, offset);
  }();
  if (_node) {
    set_history(result, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(self)) {  // WindowBackward0_copy: tangent of result
      Tensor self_t = tangent_of(self);
      _tangent0 = at::window_symint(self_t, size, offset);
    }
    set_tangent(result, _tangent0, false);
  }
  return result;
}

C10_NOINLINE at::Tensor recorded_Autograd_join(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim) {
  const bool _requires_grad = compute_requires_grad(tensors);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<JoinBackward0>(_node, tensors);
    _made.dim = dim;
    _made.tensors_args_sizes_symint = to_args_sizes_symint(tensors);
    _made.tensors_size_ = tensors.size();
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::join::schema>(_keys & c10::after_autograd_keyset, tensors, dim);
  }();
  if (_node) {
    set_history(result, _node);
  }
  if (ForwardLevel::any()) [[unlikely]] {
    Tensor _tangent0;
    if (any_tangent(tensors)) {  // JoinBackward0: tangent of result
      _tangent0 = joined(tensors, dim);
    }
    set_tangent(result, _tangent0, false);
  }
  return result;
}

C10_NOINLINE ::std::vector<at::Tensor> recorded_Autograd_join_masks(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  if (any_tangent(self, masks)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self, masks);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) _node = make_not_implemented(_op, self, masks);
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::join_masks::schema>(_keys & c10::after_autograd_keyset, self, masks);
  }();
  if (_node) {
    set_history(result, _node);
  }
  return result;
}

C10_NOINLINE at::Tensor recorded_Autograd_update(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum) {
  if (any_tangent(self, running)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<UpdateBackward0>(_node, self);
    _made.momentum = momentum;
  }
  auto result = [&] {
    const at::AutoDispatchBelowAutograd _below;
    return _op.redispatch<at::_ops::update::schema>(_keys & c10::after_autograd_keyset, self, running, momentum);
  }();
  if (_node) {
    set_history(result, _node);
  }
  return result;
}

C10_NOINLINE ::std::tuple<at::Tensor,at::Tensor,int64_t> recorded_Autograd_acme_rank(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  if (any_tangent(self)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) _node = make_not_implemented(_op, self);
  auto _result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::acme_rank::schema>(_keys & c10::after_autograd_keyset, self, k, device);
  }();
  [[maybe_unused]] auto& [result0, result1, result2] = _result;
  if (_node) {
    set_history(result0, _node);
    set_history(result1, _node);
  }
  return _result;
}

C10_NOINLINE const at::Tensor & recorded_Autograd_pour_(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  if (any_tangent(self, source)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self, source);
  check_inplace(_op, self, _requires_grad);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<PourBackward0>(_node, self, source);
    _made.source_options = source.options();
  }
  {
    const at::AutoDispatchBelowAutograd _below;
    _op.redispatch<at::_ops::pour_::schema>(_keys & c10::after_autograd_keyset, self, source, non_blocking);
  }
  if (_node) {
    rebase_history(self, _node);
  }
  return self;
}

C10_NOINLINE ::std::tuple<at::Tensor,at::Tensor> recorded_Autograd_update_functional(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & running, double momentum) {
  if (any_tangent(self, running)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<UpdateBackward0>(_node, self);
    _made.momentum = momentum;
  }
  auto _result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::update_functional::schema>(_keys & c10::after_autograd_keyset, self, running, momentum);
  }();
  [[maybe_unused]] auto& [result0, running_out] = _result;
  if (_node) {
    set_history(result0, _node);
  }
  return _result;
}

C10_NOINLINE at::Tensor recorded_Autograd_pour(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  if (any_tangent(self, source)) throw_no_forward(_op);
  const bool _requires_grad = compute_requires_grad(self, source);
  c10::intrusive_ptr<Node> _node;
  if (_requires_grad) {
    auto& _made = make_node<PourBackward0>(_node, self, source);
    _made.source_options = source.options();
  }
  auto result = [&] {
    const at::AutoDispatchBelowADInplaceOrView _below;
    return _op.redispatch<at::_ops::pour::schema>(_keys & c10::after_autograd_keyset, self, source, non_blocking);
  }();
  if (_node) {
    set_history(result, _node);
  }
  return result;
}

}  // namespace
}  // namespace torch::inline C10_ABI::autograd::generated

namespace at::inline C10_ABI::kernels {

using torch::autograd::bump_version;
using torch::autograd::check_out;
using torch::autograd::set_view;
using torch::autograd::set_views;
using torch::autograd::surely_untracked;
using torch::autograd::untracked;
using torch::autograd::generated::BelowCall;
using torch::autograd::generated::ViewCall;

at::Tensor CompositeExplicitAutograd_window(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset);

at::Tensor Autograd_scale_Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  if (!surely_untracked(self, other) && !untracked(self, other)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_scale_Tensor(_op, _keys, self, other, alpha);
  return BelowCall<at::_ops::scale_Tensor::schema>::call(_op, _keys, self, other, alpha);
}

at::Tensor & ADInplaceOrView_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::scale__Tensor::schema>::call(_op, _keys, self, other, alpha);
  bump_version(_op, self);
  return self;
}

at::Tensor & Autograd_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  if (!surely_untracked(self, other)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_scale__Tensor(_op, _keys, self, other, alpha);
  BelowCall<at::_ops::scale__Tensor::schema>::call(_op, _keys, self, other, alpha);
  bump_version(_op, self);
  return self;
}

at::Tensor & ADInplaceOrView_scale_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::scale_out::schema>::call(_op, _keys, self, other, alpha, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_scale_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  if (!surely_untracked(self, other, out)) [[unlikely]]
    check_out(_op, self, other, out);
  BelowCall<at::_ops::scale_out::schema>::call(_op, _keys, self, other, alpha, out);
  bump_version(_op, out);
  return out;
}

::std::tuple<at::Tensor,at::Tensor> Autograd_fold_dim(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_fold_dim(_op, _keys, self, dim, keepdim);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::fold_dim::schema>::call(_op, _keys, self, dim, keepdim);
}

::std::tuple<at::Tensor &,at::Tensor &> ADInplaceOrView_fold_dim_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::fold_dim_out::schema>::call(_op, _keys, self, dim, keepdim, values, indices);
  bump_version(_op, values);
  bump_version(_op, indices);
  return ::std::tuple<at::Tensor &,at::Tensor &>(values, indices);
}

::std::tuple<at::Tensor &,at::Tensor &> Autograd_fold_dim_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  if (!surely_untracked(self, values, indices)) [[unlikely]]
    check_out(_op, self, values, indices);
  return ADInplaceOrView_fold_dim_out(_op, _keys, self, dim, keepdim, values, indices);
}

at::Tensor Autograd_turn(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_turn(_op, _keys, self, shifts, dims);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::turn::schema>::call(_op, _keys, self, shifts, dims);
}

at::Tensor AutogradCUDA_turn(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_AutogradCUDA_turn(_op, _keys, self, shifts, dims);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::turn::schema>::call(_op, _keys, self, shifts, dims);
}

at::Tensor ADInplaceOrView_window(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return ViewCall<at::_ops::window::schema>::call<&CompositeExplicitAutograd_window>(self, _op, _keys, self, size, offset);
}

at::Tensor Autograd_window(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_window(_op, _keys, self, size, offset);
  return ADInplaceOrView_window(_op, _keys, self, size, offset);
}

at::Tensor Autograd_window_copy(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_window_copy(_op, _keys, self, size, offset);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::window_copy::schema>::call(_op, _keys, self, size, offset);
}

at::Tensor & ADInplaceOrView_gauss_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::gauss_out::schema>::call(_op, _keys, mean, std, generator, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_gauss_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  if (!surely_untracked(mean, out)) [[unlikely]]
    check_out(_op, mean, out);
  return ADInplaceOrView_gauss_out(_op, _keys, mean, std, generator, out);
}

at::Tensor Autograd_join(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim) {
  if (!surely_untracked(tensors) && !untracked(tensors)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_join(_op, _keys, tensors, dim);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::join::schema>::call(_op, _keys, tensors, dim);
}

at::Tensor & ADInplaceOrView_join_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::join_out::schema>::call(_op, _keys, tensors, dim, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_join_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  if (!surely_untracked(tensors, out)) [[unlikely]]
    check_out(_op, tensors, out);
  return ADInplaceOrView_join_out(_op, _keys, tensors, dim, out);
}

::std::vector<at::Tensor> Autograd_join_masks(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  if (!surely_untracked(self, masks) && !untracked(self, masks)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_join_masks(_op, _keys, self, masks);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::join_masks::schema>::call(_op, _keys, self, masks);
}

at::Tensor ADInplaceOrView_update(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  auto _result = BelowCall<at::_ops::update::schema>::call(_op, _keys, self, running, momentum);
  bump_version(_op, running);
  return _result;
}

at::Tensor Autograd_update(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum) {
  if (!surely_untracked(self, running) && !untracked(self, running)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_update(_op, _keys, self, running, momentum);
  return ADInplaceOrView_update(_op, _keys, self, running, momentum);
}

::std::tuple<at::Tensor,at::Tensor,int64_t> Autograd_acme_rank(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  if (!surely_untracked(self) && !untracked(self)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_acme_rank(_op, _keys, self, k, device);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::acme_rank::schema>::call(_op, _keys, self, k, device);
}

const at::Tensor & ADInplaceOrView_pour_(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::pour_::schema>::call(_op, _keys, self, source, non_blocking);
  bump_version(_op, self);
  return self;
}

const at::Tensor & Autograd_pour_(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  if (!surely_untracked(self, source)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_pour_(_op, _keys, self, source, non_blocking);
  return ADInplaceOrView_pour_(_op, _keys, self, source, non_blocking);
}

at::Tensor & ADInplaceOrView_turn_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::turn_out::schema>::call(_op, _keys, self, shifts, dims, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_turn_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  if (!surely_untracked(self, out)) [[unlikely]]
    check_out(_op, self, out);
  return ADInplaceOrView_turn_out(_op, _keys, self, shifts, dims, out);
}

at::Tensor & ADInplaceOrView_window_copy_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::window_copy_out::schema>::call(_op, _keys, self, size, offset, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_window_copy_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  if (!surely_untracked(self, out)) [[unlikely]]
    check_out(_op, self, out);
  return ADInplaceOrView_window_copy_out(_op, _keys, self, size, offset, out);
}

at::Tensor & ADInplaceOrView_ramp_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::ramp_out::schema>::call(_op, _keys, n, step, out);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_ramp_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  if (!surely_untracked(out)) [[unlikely]]
    check_out(_op, out);
  return ADInplaceOrView_ramp_out(_op, _keys, n, step, out);
}

at::Tensor & ADInplaceOrView_update_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::update_out::schema>::call(_op, _keys, self, running, momentum, out);
  bump_version(_op, running);
  bump_version(_op, out);
  return out;
}

at::Tensor & Autograd_update_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  if (!surely_untracked(self, running, out)) [[unlikely]]
    check_out(_op, self, running, out);
  return ADInplaceOrView_update_out(_op, _keys, self, running, momentum, out);
}

::std::tuple<at::Tensor,at::Tensor> Autograd_update_functional(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & running, double momentum) {
  if (!surely_untracked(self, running) && !untracked(self, running)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_update_functional(_op, _keys, self, running, momentum);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::update_functional::schema>::call(_op, _keys, self, running, momentum);
}

const at::Tensor & ADInplaceOrView_pour_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  BelowCall<at::_ops::pour_out::schema>::call(_op, _keys, self, source, non_blocking, out);
  bump_version(_op, out);
  return out;
}

const at::Tensor & Autograd_pour_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  if (!surely_untracked(self, source, out)) [[unlikely]]
    check_out(_op, self, source, out);
  return ADInplaceOrView_pour_out(_op, _keys, self, source, non_blocking, out);
}

at::Tensor Autograd_pour(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  if (!surely_untracked(self, source) && !untracked(self, source)) [[unlikely]]
    return torch::autograd::generated::recorded_Autograd_pour(_op, _keys, self, source, non_blocking);
  const at::AutoDispatchBelowADInplaceOrView _below;
  return BelowCall<at::_ops::pour::schema>::call(_op, _keys, self, source, non_blocking);
}

}  // namespace at::inline C10_ABI::kernels
