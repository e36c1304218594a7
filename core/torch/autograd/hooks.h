// Hooks that users hang on tensors and nodes, and what else only few nodes have.
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

/// A hook that can be taken off again, by `id`. Shared, for a hook may be taken off while it runs.
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
  /// What retain_grad() asked for; called after all others, and moved along when the tensor is written to.
  bool retains_grad = false;
};

struct TORCH_API NodeExtras {
  std::vector<TensorHook> tensor_hooks;
  std::vector<Registered<PreHook>> pre_hooks;
  std::vector<Registered<PostHook>> post_hooks;
  /// Called on a leaf after its gradient was accumulated.
  std::vector<Registered<PostHook>> post_accumulate_hooks;
  /// In anomaly mode: where the forward call was, and the node during whose apply() this one was made.
  std::string forward_trace;
  c10::intrusive_ptr<Node> forward_parent;
  /// What users attach to the node: the Python binding's dict.
  std::shared_ptr<void> metadata;
  /// The Python object that stands for the node now; it clears this when it dies.
  PyObject* python_object = nullptr;
};

/// Held for the few instructions in which lists of hooks are changed or copied: any thread may do either.
class TORCH_API HookListsGuard {
 public:
  HookListsGuard() noexcept;
  HookListsGuard(const HookListsGuard&) = delete;
  HookListsGuard& operator=(const HookListsGuard&) = delete;
  ~HookListsGuard();
};
/// The hooks to call: one of them may take itself or others off.
template <class List>
List copied(const List& hooks) {
  const HookListsGuard guard;
  return hooks;
}

/// A number for one more hook.
TORCH_API uint64_t next_hook_id() noexcept;

/// A function of the gradient of one tensor: `Tensor f(const Tensor& grad)`. An undefined result keeps it.
struct TORCH_API GradientHook : PreHook {
  variable_list operator()(variable_list&& grads) override;
  virtual Tensor call(const Tensor& grad) = 0;

  /// Which of the node's inputs is the tensor's.
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
