// An edge of the recorded graph: the node, and its input, that a gradient flows to.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <utility>

namespace torch::inline C10_ABI::autograd {

class Node;

using at::Tensor;
using Variable = at::Tensor;
/// Gradients in the order of a node's inputs or outputs; an undefined one stands for zeros.
using variable_list = c10::SmallVector<at::Tensor, 3>;

/// `input_nr` counts the inputs of `function` (which are the outputs of the operator that it differentiates).
struct Edge {
  Edge() = default;
  Edge(c10::intrusive_ptr<Node> function, uint32_t input_nr)
      : function(std::move(function)), input_nr(input_nr) {}

  /// Whether the gradient is wanted at all.
  bool is_valid() const { return function.defined(); }
  bool operator==(const Edge& other) const {
    return function.get() == other.function.get() && input_nr == other.input_nr;
  }

  c10::intrusive_ptr<Node> function;
  uint32_t input_nr = 0;
};

using edge_list = c10::SmallVector<Edge, 2>;

}  // namespace torch::inline C10_ABI::autograd

// An edge holds a node: its users need the class.
#include <torch/autograd/hooks.h>
