// The functions that generated autograd kernels call.
#pragma once

#include <ATen/ViewUtils.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <c10/core/GradMode.h>
#include <torch/autograd/anomaly.h>
#include <torch/autograd/autograd_meta.h>
#include <torch/autograd/forward.h>
#include <torch/autograd/saved_variable.h>

#include <optional>
#include <vector>

namespace torch::inline C10_ABI::autograd {

// -------------------- is the call tracked?

C10_ALWAYS_INLINE uintptr_t tracking_bits(const at::TensorBase& t) {
  return t.unsafeGetTensorImpl()->tracking_bits();
}
/// Whether autograd tracks the tensor: it or its base requires grad, or has a gradient, a tangent or a hook.
inline bool is_tracked(const at::TensorBase& t) { return t.unsafeGetTensorImpl()->is_tracked(); }

template <class F>
C10_ALWAYS_INLINE void for_each_tensor(const at::TensorBase& t, const F& f) {
  f(t);
}
template <class T, class F>
  requires(std::is_base_of_v<at::TensorBase, T>)
C10_ALWAYS_INLINE void for_each_tensor(const std::optional<T>& t, const F& f) {
  if (t.has_value()) f(*t);
}
template <class F>
inline void for_each_tensor(at::TensorList list, const F& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
inline void for_each_tensor(const at::ITensorListRef& list, const F& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
inline void for_each_tensor(const std::vector<Tensor>& list, const F& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
inline void for_each_tensor(const c10::List<std::optional<Tensor>>& list, const F& f) {
  for (const auto& t : list) {
    const std::optional<Tensor> value = t;
    if (value.has_value()) f(*value);
  }
}

/// A quick check that none of the tensors is tracked: none is a view or has autograd data.
template <class... Args>
C10_ALWAYS_INLINE bool surely_untracked(const Args&... args) {
  uintptr_t bits = 0;
  (for_each_tensor(args, [&](const at::TensorBase& t) { bits |= tracking_bits(t); }), ...);
  return C10_LIKELY(bits == 0);
}

/// Whether none of the tensors is tracked: the operator then runs directly.
template <class... Args>
C10_NOINLINE bool untracked(const Args&... args) {
  bool any = false;
  (for_each_tensor(args, [&](const at::TensorBase& t) { any |= is_tracked(t); }), ...);
  return !any;
}

/// t.requires_grad() without a virtual call.
inline bool requires_grad(const at::TensorBase& t) {
  const c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  const auto* meta = static_cast<const AutogradMeta*>(impl->autograd_meta());
  return (meta != nullptr && meta->requires_grad()) ||
         (impl->is_view() && impl->view_base()->requires_grad());
}

/// Whether a node is needed: grad mode is on and one of the tensors requires grad.
template <class... Args>
bool compute_requires_grad(const Args&... args) {
  if (!c10::GradMode::is_enabled()) return false;
  bool any = false;
  (for_each_tensor(args, [&](const at::TensorBase& t) { any |= requires_grad(t); }), ...);
  return any;
}

/// One edge to the tensor's node, an invalid one if it is absent or requires no grad; for a list, one per
/// item.
inline void collect_next_edges(Node& node, const at::TensorBase& t) {
  node.add_next_edge(t.defined() ? gradient_edge(t) : Edge());
}
template <class T>
  requires(std::is_base_of_v<at::TensorBase, T>)
inline void collect_next_edges(Node& node, const std::optional<T>& t) {
  node.add_next_edge(t.has_value() && t->defined() ? gradient_edge(*t) : Edge());
}
template <class List>
  requires(!std::is_base_of_v<at::TensorBase, List>)
inline void collect_next_edges(Node& node, const List& list) {
  for (const auto& item : list) collect_next_edges(node, static_cast<const std::optional<Tensor>&>(item));
}

/// The set-up of every new node: in anomaly mode it remembers where it was made.
TORCH_API void remember_forward_call(Node& node);

/// Makes a node of type N with edges to the nodes of these tensors.
template <class N, class... Args>
N& make_node(c10::intrusive_ptr<Node>& node, const Args&... inputs) {
  node = c10::make_intrusive<N>();
  (collect_next_edges(*node, inputs), ...);
  if (C10_UNLIKELY(AnomalyMode::is_enabled())) remember_forward_call(*node);
  return static_cast<N&>(*node);
}
/// The same for an operator without a derivative: its backward throws.
template <class... Args>
c10::intrusive_ptr<Node> make_not_implemented(const c10::OperatorEntry& op, const Args&... inputs) {
  auto node = c10::make_intrusive<NotImplemented>(op.qualified_name, op.overload_name);
  (collect_next_edges(*node, inputs), ...);
  if (C10_UNLIKELY(AnomalyMode::is_enabled())) remember_forward_call(*node);
  return node;
}

// -------------------- before the operator runs

/// Throws where a write to the tensor can't be recorded: leaves, views of leaves, views that were made
/// without recording or by an operator with several results.
TORCH_API void check_inplace(const c10::OperatorEntry& op, const Tensor& self, bool requires_grad);
TORCH_API void check_inplace(const c10::OperatorEntry& op, at::TensorList tensors, bool requires_grad);
[[noreturn]] TORCH_API C10_COLD void throw_out_requires_grad(const c10::OperatorEntry& op);

// -------------------- after it ran

/// Makes the tensor the node's next result. Types without gradients are left alone.
TORCH_API void set_history(const Tensor& result, const c10::intrusive_ptr<Node>& node);
TORCH_API void set_history(const std::vector<Tensor>& results, const c10::intrusive_ptr<Node>& node);
/// The same after a write to the tensor: if it is a view, its base's grad_fn becomes a node that includes the
/// write.
TORCH_API void rebase_history(const Tensor& self, const c10::intrusive_ptr<Node>& node);
TORCH_API void rebase_history(at::TensorList tensors, const c10::intrusive_ptr<Node>& node);
/// The same after an operator that changed the tensor's geometry but no memory. A view's base is unchanged,
/// and the view's grad_fn is recomputed from it.
TORCH_API void rebase_geometry(const Tensor& self, const c10::intrusive_ptr<Node>& node);

// -------------------- forward mode

/// Whether any of the tensors has a tangent.
template <class... Args>
bool any_tangent(const Args&... args) {
  if (C10_LIKELY(!ForwardLevel::any())) return false;
  bool any = false;
  (for_each_tensor(args, [&](const at::TensorBase& t) { any |= tangent(t).defined(); }), ...);
  return any;
}
[[noreturn]] TORCH_API C10_COLD void throw_no_forward(const c10::OperatorEntry& op);

/// Operators with out= arguments can't be recorded: throws when any tensor requires grad or has a tangent.
template <class... Args>
C10_NOINLINE void check_out(const c10::OperatorEntry& op, const Args&... tensors) {
  if (any_tangent(tensors...)) throw_no_forward(op);
  if (compute_requires_grad(tensors...)) throw_out_requires_grad(op);
}

// -------------------- views and writes (ADInplaceOrView)

/// Makes `result` a view of base, or of base's own base. Not needed after a kernel with a ViewedEnd.
TORCH_API C10_COLD void set_view(const Tensor& result, const Tensor& base);
/// The views of an operator that returns several; a write to one of them can't be recorded.
TORCH_API void set_views(const std::vector<Tensor>& results, const Tensor& base);
/// Throws for a write to an inference tensor outside of inference mode.
TORCH_API C10_COLD void check_inference_write(const c10::OperatorEntry& op, const at::TensorBase& t);
/// Counts a write of `op` to the tensor.
inline void bump_version(const c10::OperatorEntry& op, const at::TensorBase& t) {
  if (C10_UNLIKELY(t.is_inference())) return check_inference_write(op, t);
  t.unsafeGetTensorImpl()->bump_version(&op);
}
inline void bump_version(const c10::OperatorEntry& op, at::TensorList list) {
  for (const Tensor& t : list) bump_version(op, t);
}

}  // namespace torch::inline C10_ABI::autograd
