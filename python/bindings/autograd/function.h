// Functions defined in Python: the node of a call, and its context (`ctx`), which is the node's Python
// object.
//
// The node owns the context until Python asks for it as a grad_fn. From then on the context owns the node, so
// that it can outlive the graph. When the last Python reference to the context is released while the graph
// still holds the node, ownership returns to the node.
#pragma once
#include "autograd/autograd.h"

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
  PyObject* saved_for_forward;  // the tensors of save_for_forward(), until jvp() has run
  bool owns_node;
};

class PyNode final : public autograd::FunctionNode {
 public:
  PyNode() : FunctionNode("") {}
  ~PyNode() override { drop_context(); }

  const char* name() const override { return name_.c_str(); }
  PyObject* python_object() override;

  /// Makes the context the node's Python object.
  void attach(ContextObject* context, std::string name);
  /// Takes ownership of the context; Python may hold references to it as well.
  void own_context();
  /// Records for each argument of apply(), in order, whether it is a tensor.
  void add_argument(bool is_tensor) { is_tensor_.push_back(is_tensor); }
  variable_list record(const variable_list& inputs, variable_list&& results, bool requires_grad) {
    return FunctionNode::record(inputs, std::move(results), requires_grad);
  }
  autograd::AutogradContext& context() { return context_; }
  /// For the garbage collector: visits the context if the node owns it.
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

/// FunctionCtx, the type of contexts; each Function has a class derived from it.
extern PyTypeObject* context_type;
int init_contexts(PyObject* module);

}  // namespace at::python
