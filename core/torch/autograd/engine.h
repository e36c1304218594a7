// Runs the recorded graph backwards.
#pragma once

#include <torch/autograd/node.h>

#include <optional>

namespace torch::inline C10_ABI::autograd {

struct BackwardOptions {
  /// Keeps what nodes saved, so that the graph can be run again. Unset: as create_graph.
  std::optional<bool> retain_graph;
  /// Records the backward pass itself.
  bool create_graph = false;
};

/// Computes the gradients of the `tensors` (the roots) and adds them to `grad` of the leaves: of all, or only
/// of `inputs` if there are any. `gradients` are those of the roots; undefined ones stand for 1 where a root
/// has a single element. Throws c10::Error for roots that require no grad, gradients of wrong shape, freed
/// graphs, and whatever a node or hook throws; then nothing of the roots' graph is freed that hasn't run.
TORCH_API void backward(at::TensorList tensors, at::TensorList gradients = {}, BackwardOptions options = {},
                        at::TensorList inputs = {});

struct GradOptions : BackwardOptions {
  /// An input that the outputs don't depend on has an undefined gradient instead of being an error.
  bool allow_unused = false;
  /// Zeros instead of undefined gradients; implies allow_unused.
  bool materialize_grads = false;
};

/// The gradients of the sum of `outputs` for the `inputs`; nothing is accumulated.
TORCH_API variable_list grad(at::TensorList outputs, at::TensorList inputs, at::TensorList grad_outputs = {},
                             GradOptions options = {});

/// One run: from the roots with their gradients. `captures` are the edges whose gradients are returned; none
/// for a run that accumulates into all leaves. `accumulate`: captured leaves get their gradient added to
/// `grad`, and nothing is returned.
TORCH_API variable_list run_backward(const edge_list& roots, variable_list&& gradients, bool retain_graph,
                                     bool create_graph, const edge_list& captures, bool accumulate);

/// Whether a backward pass runs in this thread.
TORCH_API bool is_running_backward() noexcept;
/// Called once when the present run has ended without an error; throws outside of a run.
struct TORCH_API FinalCallback {
  virtual ~FinalCallback();
  virtual void operator()() = 0;
};
TORCH_API void queue_callback(std::unique_ptr<FinalCallback> callback);

}  // namespace torch::inline C10_ABI::autograd
