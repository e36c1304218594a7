// Functions that users define in Python: the node of a call, and the context that stands for it.
//
// The node owns the context, until Python asks for it as a grad_fn: then the context owns the node, so that
// it outlives the graph. When its last Python reference goes while the graph still holds the node, that turns
// round again.
#pragma once
#include "autograd.h"

#include <torch/autograd/function.h>

#include <string>
#include <vector>

namespace at::python {

class PyNode;

struct ContextObject {
  NodeObject base;       // when !owns_node: the node owns this object, and the handle holds no reference
  PyObject* attributes;  // __dict__
  PyObject* weak_references;
  PyObject* needs_input_grad;
  PyObject* saved_for_forward;  // what save_for_forward() keeps until jvp() has run
  bool owns_node;
};

class PyNode final : public autograd::FunctionNode {
 public:
  PyNode() : FunctionNode("") {}
  ~PyNode() override { drop_context(); }

  const char* name() const override { return name_.c_str(); }
  PyObject* python_object() override;

  /// From here on the context stands for the node.
  void attach(ContextObject* context, std::string name);
  /// Owns the context, which Python may refer to as well, from now on.
  void own_context();
  /// Whether the argument of apply() is a tensor, one after the other.
  void add_argument(bool is_tensor) { is_tensor_.push_back(is_tensor); }
  variable_list record(const variable_list& inputs, variable_list&& results, bool requires_grad) {
    return FunctionNode::record(inputs, std::move(results), requires_grad);
  }
  autograd::AutogradContext& context() { return context_; }
  /// Visits the context, for the garbage collector, where the node owns it.
  int visit_owned(visitproc visit, void* arg) const;

 private:
  friend struct ContextOwnership;
  variable_list run_backward(variable_list grads) override;
  variable_list gradients_of(PyObject* returned) const;
  void release_resources() override;
  void drop_context() noexcept;

  std::string name_;
  ContextObject* object_ = nullptr;
  bool owns_object_ = false;
};

/// The type of contexts, and of the classes that derive from it, one for each Function.
extern PyTypeObject* context_type;
int init_contexts(PyObject* module);

}  // namespace at::python
