// Hooks of tensors and nodes, and other data that few nodes have.
#pragma once

#include <torch/autograd/edge.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct _object;
using PyObject = _object;

namespace torch::inline C10_ABI::autograd {

/// Sees the gradients that flow into a node, and may replace them.
struct TORCH_API PreHook {
  virtual ~PreHook();
  virtual variable_list operator()(variable_list&& grads) = 0;
};

/// Sees the gradients that a node computed (`outputs`) from `inputs`, and may replace them.
struct TORCH_API PostHook {
  virtual ~PostHook();
  virtual variable_list operator()(variable_list&& outputs, const variable_list& inputs) = 0;
};

/// A hook that can be removed by `id`. Shared, as a hook may be removed while it runs.
template <class Hook>
struct Registered {
  uint64_t id;
  std::shared_ptr<Hook> hook;
};

/// Hooks of a tensor are called on the gradient of one input of the node that made it.
struct TensorHook {
  uint64_t id;
  uint32_t input_nr;
  std::shared_ptr<PreHook> hook;
  /// The hook of retain_grad(): called after all others, and moved along when the tensor is written to.
  bool retains_grad = false;
};

struct TORCH_API NodeExtras {
  std::vector<TensorHook> tensor_hooks;
  std::vector<Registered<PreHook>> pre_hooks;
  std::vector<Registered<PostHook>> post_hooks;
  /// Called on a leaf after its gradient was accumulated.
  std::vector<Registered<PostHook>> post_accumulate_hooks;
  /// In anomaly mode: the forward call's stack trace, and the node during whose apply() this one was made.
  std::string forward_trace;
  c10::intrusive_ptr<Node> forward_parent;
  /// The node's metadata: the Python binding's dict.
  std::shared_ptr<void> metadata;
  /// The node's current Python object, which clears this when it is destroyed.
  PyObject* python_object = nullptr;
};

/// Held for the few instructions in which lists of hooks are changed or copied, by any thread.
class TORCH_API HookListsGuard {
 public:
  HookListsGuard() noexcept;
  HookListsGuard(const HookListsGuard&) = delete;
  HookListsGuard& operator=(const HookListsGuard&) = delete;
  ~HookListsGuard();
};
/// A copy of the hooks to call, any of which may remove itself or others.
template <class List>
List copied(const List& hooks) {
  const HookListsGuard guard;
  return hooks;
}

/// The id of the next hook.
TORCH_API uint64_t next_hook_id() noexcept;

/// A function of one tensor's gradient: `Tensor f(const Tensor& grad)`. An undefined result keeps the
/// gradient.
struct TORCH_API GradientHook : PreHook {
  variable_list operator()(variable_list&& grads) override;
  virtual Tensor call(const Tensor& grad) = 0;

  /// The input of the node that is this tensor's gradient.
  uint32_t input_nr = 0;
};

template <class F>
class GradientFunctionHook final : public GradientHook {
 public:
  explicit GradientFunctionHook(F function) : function_(std::move(function)) {}
  Tensor call(const Tensor& grad) override { return function_(grad); }

 private:
  F function_;
};

}  // namespace torch::inline C10_ABI::autograd

#include <torch/autograd/node.h>
