// Python bindings of autograd: nodes, hooks, Functions, and the engine.
#pragma once
#include "prelude.h"

#include <torch/autograd/autograd_meta.h>
#include <torch/autograd/node.h>

namespace at::python {

namespace autograd = torch::autograd;
using autograd::variable_list;
using NodePtr = c10::intrusive_ptr<autograd::Node>;

/// A Python object owned by C++. Any thread may release it; it is leaked if the interpreter is shutting down.
class HeldObject {
 public:
  explicit HeldObject(PyObject* o) : object_(o) { Py_INCREF(o); }
  HeldObject(const HeldObject&) = delete;
  HeldObject& operator=(const HeldObject&) = delete;
  ~HeldObject() {
    if (!interpreter_alive()) return;
    const GilAcquire gil;
    Py_DECREF(object_);
  }
  PyObject* get() const { return object_; }

 private:
  PyObject* object_;
};

// ---- methods and attributes of Tensor (tensor.cpp), each table terminated by a null name

extern PyMethodDef autograd_methods[];
extern PyGetSetDef autograd_properties[];

// ---- nodes (node.cpp)

/// The common start of the Python objects of all nodes. `node` is null for a context outside of apply().
struct NodeObject {
  PyObject_HEAD NodePtr node;
};
/// autograd.graph.Node, the base class of all node types.
extern PyTypeObject* node_type;
inline bool is_node(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), node_type) != 0; }
/// A new reference to the node's Python object, of which at most one exists at a time. None for null.
PyObject* wrap_node(NodePtr node);
/// The node of an object for which is_node() holds; throws if it has none.
NodePtr node_of(PyObject* o);
int init_nodes(PyObject* module);

// ---- hooks (hooks.cpp)

// New references to handles.
PyObject* add_gradient_hook(const at::Tensor& t, PyObject* function);
PyObject* add_accumulate_hook(const at::Tensor& t, PyObject* function);
PyObject* add_node_hook(const NodePtr& node, PyObject* function);
PyObject* add_node_prehook(const NodePtr& node, PyObject* function);
int init_hooks(PyObject* module);

/// For the garbage collector: visits the Python objects that only the tensor, or the node, keeps alive. The
/// caller holds the only reference to it.
int visit_autograd(const at::Tensor& t, visitproc visit, void* arg);
int visit_node(autograd::Node& node, visitproc visit, void* arg);

// ---- Functions (function.cpp)

/// Visits the context of a Python Function's node.
int visit_context(autograd::Node& node, visitproc visit, void* arg);
int init_functions(PyObject* module);

// ---- the engine and its modes (engine.cpp, modes.cpp)

PyObject* tensor_backward(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
int init_engine(PyObject* module);
int init_autograd_modes(PyObject* module);

// ---- maps over batches (batching.cpp)

int init_batching(PyObject* module);

// ---- lists of tensors

/// A tuple; None for an undefined tensor.
Ref tuple_of(const variable_list& tensors);
/// The tensors of a tuple or list, undefined for None. Other elements raise a TypeError whose message begins
/// with `what`: "hook 'f' returned".
variable_list tensors_of(PyObject* sequence, const std::string& what);

}  // namespace at::python
