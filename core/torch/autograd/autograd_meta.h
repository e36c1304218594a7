// Autograd's data of a tensor, and functions on it.
#pragma once

#include <c10/core/TensorImpl.h>
#include <c10/core/impl/SmallBlockCache.h>
#include <torch/autograd/forward.h>
#include <torch/autograd/node.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace torch::inline C10_ABI::autograd {

/// Hooks of a leaf; those of other tensors belong to the node that made them.
struct LeafHooks {
  std::vector<TensorHook> tensor_hooks;
  std::vector<Registered<PostHook>> post_accumulate_hooks;
};

/// Tensors without gradient state have none. A view without one may still be tracked through its base
/// (TensorImpl::view_base).
class TORCH_API AutogradMeta final : public c10::AutogradMetaInterface {
 public:
  AutogradMeta() = default;
  AutogradMeta(c10::intrusive_ptr<Node> node, uint32_t output_nr)
      : grad_fn(std::move(node)), output_nr(output_nr) {}
  ~AutogradMeta() override;
  C10_SMALL_BLOCK_ALLOCATED

  void set_requires_grad(bool requires_grad, c10::TensorImpl* self) override;
  bool requires_grad() const override { return requires_grad_ || grad_fn.defined(); }
  Tensor& mutable_grad() override { return grad; }
  /// `grad` for readers that may run beside a backward pass, which replaces it at any time.
  Tensor gradient() {
    const NodeGuard guard(mutex);
    return grad;
  }
  void set_gradient(Tensor value) {
    const NodeGuard guard(mutex);
    std::swap(grad, value);  // the old one dies with the argument, after the guard
  }

  Tensor grad;
  /// The node that made the tensor; null for a leaf. A view's may be out of date: use grad_fn_of().
  c10::intrusive_ptr<Node> grad_fn;
  /// The node that accumulates into `grad`; it holds the tensor, so the tensor doesn't hold it.
  c10::weak_intrusive_ptr<Node> grad_accumulator;
  /// Tangents of forward mode.
  std::unique_ptr<ForwardGrad> forward;
  std::unique_ptr<LeafHooks> leaf_hooks;
  uint32_t output_nr = 0;
  NodeMutex mutex;
  bool retains_grad = false;

 private:
  bool requires_grad_ = false;
};

inline AutogradMeta* meta_of(const at::TensorBase& t) {
  return static_cast<AutogradMeta*>(t.unsafeGetTensorImpl()->autograd_meta());
}
/// The tensor's meta, created if there is none. Throws for an undefined tensor.
TORCH_API AutogradMeta& materialize_meta(const at::TensorBase& t);

/// The node that made the tensor, null for a leaf. For a view that is out of date (it, another view or the
/// base was written to), a new node is made that takes the view's part of the base's gradient.
TORCH_API c10::intrusive_ptr<Node> grad_fn_of(const at::TensorBase& t);
/// Whether the tensor was not made by a recorded operator.
TORCH_API bool is_leaf(const at::TensorBase& t);
/// The edge for the tensor's gradient: to grad_fn_of(), for a leaf to its AccumulateGrad; invalid if it
/// requires no grad.
TORCH_API Edge gradient_edge(const at::TensorBase& t);
/// Makes the tensor result `edge.input_nr` of the node.
TORCH_API void set_gradient_edge(const at::TensorBase& t, Edge edge);
/// The AccumulateGrad of a leaf; null if it doesn't require grad. With `create` it is made if necessary.
TORCH_API c10::intrusive_ptr<Node> grad_accumulator_of(const at::TensorBase& t, bool create = true);
/// The index of the tensor among the results of grad_fn_of(); 0 for a leaf.
TORCH_API uint32_t output_nr_of(const at::TensorBase& t);

/// Sets whether a leaf requires grad. Throws for a non-leaf that can't, for dtypes without gradient and for
/// inference tensors.
TORCH_API void set_requires_grad(const at::TensorBase& t, bool requires_grad);
/// Retains the gradient although the tensor is no leaf.
TORCH_API void retain_grad(const at::TensorBase& t);
TORCH_API bool retains_grad(const at::TensorBase& t);
/// Moves a retain_grad() hook when the tensor becomes result `input_nr` of another node.
TORCH_API void move_retained_grad(const at::TensorBase& t, Node& to, uint32_t input_nr);
/// Detaches the tensor in place. Throws for views.
TORCH_API void detach_in_place(const at::TensorBase& t);

/// Removes a hook; does nothing once the tensor and its node are gone.
class TORCH_API HookHandle {
 public:
  HookHandle() = default;
  HookHandle(uint64_t id, const c10::intrusive_ptr<Node>& node, const at::TensorBase& leaf);
  void remove();
  uint64_t id() const { return id_; }

 private:
  uint64_t id_ = 0;
  c10::weak_intrusive_ptr<Node> node_;
  c10::weak_intrusive_ptr<c10::TensorImpl> leaf_;
};

/// Calls the hook with the tensor's gradient whenever one is computed. Throws when the tensor requires none.
TORCH_API HookHandle add_hook(const at::TensorBase& t, std::shared_ptr<GradientHook> hook);
/// Calls the hook with a leaf after its gradient was accumulated (its only output). Throws for others.
TORCH_API HookHandle add_post_accumulate_hook(const at::TensorBase& t, std::shared_ptr<PostHook> hook);
/// Calls the hook before, or after, the node runs.
TORCH_API HookHandle add_pre_hook(const c10::intrusive_ptr<Node>& node, std::shared_ptr<PreHook> hook);
TORCH_API HookHandle add_post_hook(const c10::intrusive_ptr<Node>& node, std::shared_ptr<PostHook> hook);

template <class F>
HookHandle register_hook(const at::TensorBase& t, F function) {
  return add_hook(t, std::make_shared<GradientFunctionHook<F>>(std::move(function)));
}

}  // namespace torch::inline C10_ABI::autograd
