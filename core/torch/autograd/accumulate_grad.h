// AccumulateGrad: the node of a leaf, which adds incoming gradients to the leaf's `grad`.
#pragma once

#include <torch/autograd/node.h>

namespace torch::inline C10_ABI::autograd {

class TORCH_API AccumulateGrad final : public Node {
 public:
  explicit AccumulateGrad(Tensor variable);
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "torch::autograd::AccumulateGrad"; }
  std::vector<TensorHook>* tensor_hooks() override;

  Tensor variable;

 private:
  // The variable refers to this node weakly, so the node's memory may outlive its last use.
  void release_resources() override {
    Node::release_resources();
    variable.reset();
  }
};

}  // namespace torch::inline C10_ABI::autograd
