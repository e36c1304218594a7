// Python objects of graph nodes. Each node name has a type derived from autograd.graph.Node.
#include "autograd/autograd.h"
#include "errors.h"
#include "tensor_object.h"
#include "values/results.h"

#include <torch/autograd/accumulate_grad.h>

#include <new>
#include <string>
#include <unordered_map>

namespace at::python {

PyTypeObject* node_type = nullptr;

namespace {

NodeObject* object_of(PyObject* self) { return reinterpret_cast<NodeObject*>(self); }

PyObject* no_constructor(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "nodes cannot be created directly; recorded operators create them");
  return nullptr;
}

// ---- lifetime of the objects of C++ nodes (for those of Python Functions see autograd_context.cpp)

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  NodeObject* object = object_of(self);
  if (object->node) object->node->extras()->python_object = nullptr;
  autograd::release_node(std::move(object->node));
  object->node.~NodePtr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  const NodePtr& node = object_of(self)->node;
  return node && node.use_count() == 1 ? visit_node(*node, visit, arg) : 0;
}

int clear(PyObject* self) {
  NodePtr node = std::move(object_of(self)->node);
  if (node) node->extras()->python_object = nullptr;
  autograd::release_node(std::move(node));
  return 0;
}

// ---- attributes and methods

#define NODE_GETTER(id, attribute, expr)       \
  PyObject* get_##id(PyObject* self, void*) {  \
    try {                                      \
      const NodePtr node = node_of(self);      \
      return expr;                             \
    } catch (...) {                            \
      return raise_current("Node." attribute); \
    }                                          \
  }

Ref next_functions(const autograd::Node& node) {
  Ref all = own(PyTuple_New(static_cast<Py_ssize_t>(node.num_outputs())));
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    const autograd::Edge& edge = node.next_edge(i);
    const Ref next = own(wrap_node(edge.function));
    PyObject* pair = own(Py_BuildValue("(OI)", next.get(), edge.input_nr)).release();
    check(PyTuple_SetItem(all.get(), static_cast<Py_ssize_t>(i), pair));
  }
  return all;
}

Ref metadata(autograd::Node& node) {
  std::shared_ptr<void>& held = node.mutable_extras().metadata;
  if (!held) held = std::make_shared<HeldObject>(own(PyDict_New()).get());
  return Ref::borrow(static_cast<HeldObject*>(held.get())->get());
}

// (shape, dtype, device) of each result; None for those without a gradient.
Ref input_metadata(const autograd::Node& node) {
  Ref all = own(PyTuple_New(static_cast<Py_ssize_t>(node.num_inputs())));
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    const autograd::InputMetadata& m = node.input_metadata(i);
    PyObject* row = none();
    if (m.defined) {
      const Ref shape = own(from_size(m.sizes)), dtype = own(from_dtype(m.dtype)),
                device = own(from_device(m.device));
      Py_DECREF(row);
      row = own(PyTuple_Pack(3, shape.get(), dtype.get(), device.get())).release();
    }
    check(PyTuple_SetItem(all.get(), static_cast<Py_ssize_t>(i), row));
  }
  return all;
}

NODE_GETTER(next_functions, "next_functions", next_functions(*node).release())
NODE_GETTER(metadata, "metadata", metadata(*node).release())
NODE_GETTER(input_metadata, "_input_metadata", input_metadata(*node).release())
NODE_GETTER(variable, "variable", wrap(static_cast<autograd::AccumulateGrad&>(*node).variable))
#undef NODE_GETTER

PyObject* name(PyObject* self, PyObject*) {
  try {
    return PyUnicode_FromString(node_of(self)->name());
  } catch (...) {
    return raise_current("Node.name");
  }
}
PyObject* sequence_nr(PyObject* self, PyObject*) {
  try {
    return PyLong_FromUnsignedLongLong(node_of(self)->sequence_nr());
  } catch (...) {
    return raise_current("Node._sequence_nr");
  }
}
PyObject* register_hook(PyObject* self, PyObject* function) {
  try {
    return add_node_hook(node_of(self), function);
  } catch (...) {
    return raise_current("Node.register_hook");
  }
}
PyObject* register_prehook(PyObject* self, PyObject* function) {
  try {
    return add_node_prehook(node_of(self), function);
  } catch (...) {
    return raise_current("Node.register_prehook");
  }
}

// node(*gradients): applies the node without its hooks.
PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  try {
    if (kwargs != nullptr && PyDict_Size(kwargs) > 0) {
      throw_error(PyExc_TypeError, "takes no keyword arguments");
    }
    const NodePtr node = node_of(self);
    variable_list grads = tensors_of(args, "got");
    TORCH_CHECK_TYPE(grads.size() == node->num_inputs(), "expected ", node->num_inputs(), " gradients, got ",
                     grads.size());
    const variable_list results = [&] {
      const GilReleased released;
      return node->apply(std::move(grads));
    }();
    return results.size() == 1 ? wrap(results[0]) : tuple_of(results).release();
  } catch (...) {
    return raise_current("Node.__call__");
  }
}

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat("<%s object at %p>", type_name(self).c_str(), static_cast<void*>(self));
}

PyMethodDef node_methods[] = {
    {"name", name, METH_NOARGS,
     "name() -> str\n\nThe node's name, such as 'AddBackward0' or 'torch::autograd::AccumulateGrad'."},
    {"register_hook", register_hook, METH_O,
     "register_hook(hook) -> RemovableHandle\n\nhook(grad_inputs, grad_outputs) is called after the node has "
     "run; "
     "it may return a tuple that replaces grad_inputs."},
    {"register_prehook", register_prehook, METH_O,
     "register_prehook(hook) -> RemovableHandle\n\nhook(grad_outputs) is called before the node runs; it may "
     "return a tuple that replaces them."},
    {"_sequence_nr", sequence_nr, METH_NOARGS,
     "_sequence_nr() -> int\n\nIncreases with each recorded operator."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef node_properties[] = {
    {"next_functions", get_next_functions, nullptr,
     "For each argument, the node that receives its gradient and the index of that node's input.", nullptr},
    {"metadata", get_metadata, nullptr, "A dict for metadata of users.", nullptr},
    {"_input_metadata", get_input_metadata, nullptr, "Shape, dtype and device of each result.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyGetSetDef accumulate_properties[] = {
    {"variable", get_variable, nullptr, "The leaf whose gradient is accumulated.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
constexpr const char* node_doc =
    "A node of the autograd graph: computes the gradients of arguments from those of results.";
PyType_Slot node_slots[] = {{Py_tp_new, reinterpret_cast<void*>(no_constructor)},
                            {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                            {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear)},
                            {Py_tp_call, reinterpret_cast<void*>(call)},
                            {Py_tp_repr, reinterpret_cast<void*>(repr)},
                            {Py_tp_methods, node_methods},
                            {Py_tp_getset, node_properties},
                            {Py_tp_doc, const_cast<char*>(node_doc)},
                            {0, nullptr}};

PyTypeObject* make_type(const std::string& name) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(no_constructor)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                         {0, nullptr},
                         {0, nullptr}};
  const std::string own_name = name.substr(name.rfind(':') + 1);  // without namespaces
  if (own_name == "AccumulateGrad") slots[2] = {Py_tp_getset, accumulate_properties};
  const auto* full_name =
      new std::string(PACKAGE ".autograd.graph." + own_name);  // the type keeps a pointer to it
  // traverse and clear are inherited.
  PyType_Spec spec{full_name->c_str(), 0, 0, Py_TPFLAGS_DEFAULT, slots};
  const Ref bases = own(PyTuple_Pack(1, reinterpret_cast<PyObject*>(node_type)));
  return reinterpret_cast<PyTypeObject*>(own(PyType_FromSpecWithBases(&spec, bases.get())).release());
}

// Types are created on first use and never destroyed.
PyTypeObject* type_for(const autograd::Node& node) {
  static auto* types = new std::unordered_map<std::string, PyTypeObject*>();
  PyTypeObject*& type = (*types)[node.name()];
  if (type == nullptr) type = make_type(node.name());
  return type;
}

}  // namespace

PyObject* wrap_node(NodePtr node) {
  if (!node) return none();
  if (PyObject* defined_in_python = node->python_object()) return defined_in_python;
  PyObject*& known = node->mutable_extras().python_object;
  if (known != nullptr) {
    Py_INCREF(known);
    return known;
  }
  PyTypeObject* type = type_for(*node);
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* o = own(alloc(type, 0)).release();
  known = o;
  new (&object_of(o)->node) NodePtr(std::move(node));
  return o;
}

NodePtr node_of(PyObject* o) {
  const NodePtr& node = object_of(o)->node;
  if (!node) throw_error(PyExc_RuntimeError, "this %s has no node in a graph", type_name(o).c_str());
  return node;
}

int init_nodes(PyObject* module) {
  PyType_Spec spec{PACKAGE ".autograd.graph.Node", sizeof(NodeObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, node_slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  node_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  return PyModule_AddObject(module, "_Node", type);
}

}  // namespace at::python
