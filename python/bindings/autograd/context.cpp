// FunctionCtx, the context of Python Functions: its lifetime, and the methods for forward() and backward().
#include "autograd/function.h"
#include "errors.h"
#include "tensor_object.h"

#include <structmember.h>

#include <cstddef>
#include <new>

namespace at::python {

PyTypeObject* context_type = nullptr;

/// Ownership between context and node. All functions need the GIL.
struct ContextOwnership {
  static ContextObject* context(PyObject* o) { return reinterpret_cast<ContextObject*>(o); }
  static PyNode* node(const ContextObject* c) { return static_cast<PyNode*>(c->base.node.get()); }

  static bool graph_holds(const ContextObject* c) {
    return c->base.node && (!c->owns_node || c->base.node.use_count() > 1);
  }

  // The caller gives up a reference to `c`, which must own the node.
  static void give_to_node(ContextObject* c) {
    PyNode* held = node(c);
    held->owns_object_ = true;
    c->owns_node = false;
    // Releases the context's reference, but keeps the pointer. If it was the last one, because another thread
    // released its own meanwhile, the node is destroyed here and releases its reference to the context.
    autograd::release_node(NodePtr::reclaim(held));
  }
  // Transfers the node's reference to the context to the caller.
  static PyObject* take_from_node(ContextObject* c) {
    PyNode* held = node(c);
    held->owns_object_ = false;
    c->owns_node = true;
    c10::raw::incref(held);
    return reinterpret_cast<PyObject*>(c);
  }
  // For the destruction of the context: releases its node.
  static void detach(ContextObject* c) {
    if (!c->base.node) return;
    PyNode* held = node(c);
    held->object_ = nullptr;
    if (c->owns_node) {
      autograd::release_node(std::move(c->base.node));
    } else {
      (void)c->base.node.release();
    }
  }
};

// -------------------- PyNode

void PyNode::attach(ContextObject* context, std::string name) {
  name_ = std::move(name);
  object_ = context;
  context->base.node = NodePtr::reclaim_copy(this);
  context->owns_node = true;
}

void PyNode::own_context() {
  if (owns_object_) return;
  Py_INCREF(reinterpret_cast<PyObject*>(object_));
  ContextOwnership::give_to_node(object_);
}

PyObject* PyNode::python_object() {
  if (object_ == nullptr) return none();
  if (owns_object_) return ContextOwnership::take_from_node(object_);
  auto* o = reinterpret_cast<PyObject*>(object_);
  Py_INCREF(o);
  return o;
}

void PyNode::drop_context() noexcept {
  if (object_ == nullptr || !owns_object_ || !interpreter_alive()) return;
  const GilAcquire gil;
  ContextObject* context = object_;
  owns_object_ = false;
  object_ = nullptr;
  (void)context->base.node.release();  // held no reference
  Py_DECREF(reinterpret_cast<PyObject*>(context));
}

void PyNode::release_resources() {
  drop_context();
  FunctionNode::release_resources();
}

int visit_context(autograd::Node& node, visitproc visit, void* arg) {
  auto* python = dynamic_cast<PyNode*>(&node);
  return python != nullptr ? python->visit_owned(visit, arg) : 0;
}

int PyNode::visit_owned(visitproc visit, void* arg) const {
  if (owns_object_) Py_VISIT(reinterpret_cast<PyObject*>(object_));
  return 0;
}

namespace {

using Ownership = ContextOwnership;

// -------------------- lifetime of the context

PyObject* construct(PyTypeObject* type, PyObject*, PyObject*) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = alloc(type, 0);
  if (self != nullptr) new (&Ownership::context(self)->base.node) NodePtr();
  return self;
}

void clear_attributes(ContextObject* context) {
  Py_CLEAR(context->attributes);
  Py_CLEAR(context->needs_input_grad);
  Py_CLEAR(context->saved_for_forward);
}

void deallocate(PyObject* self) {
  ContextObject* context = Ownership::context(self);
  PyTypeObject* type = Py_TYPE(self);
  if (context->owns_node && Ownership::graph_holds(context)) {
    Py_SET_REFCNT(self, 1);
    Ownership::give_to_node(context);
    return;
  }
  PyObject_GC_UnTrack(self);
  if (context->weak_references) PyObject_ClearWeakRefs(self);
  clear_attributes(context);
  Ownership::detach(context);
  context->base.node.~NodePtr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  ContextObject* context = Ownership::context(self);
  // The graph may return the object to Python again, so it keeps its attributes alive.
  if (context->owns_node && Ownership::graph_holds(context)) return 0;
  Py_VISIT(context->attributes);
  Py_VISIT(context->needs_input_grad);
  Py_VISIT(context->saved_for_forward);
  return 0;
}

int clear(PyObject* self) {
  ContextObject* context = Ownership::context(self);
  if (context->owns_node && Ownership::graph_holds(context)) {
    Py_INCREF(self);
    Ownership::give_to_node(context);
    return 0;
  }
  clear_attributes(context);
  return 0;
}

// -------------------- methods and properties

autograd::AutogradContext& saved_in(PyObject* self) { return static_cast<PyNode&>(*node_of(self)).context(); }

PyObject* save_for_backward(PyObject* self, PyObject* tensors) {
  try {
    saved_in(self).save_for_backward(tensors_of(tensors, "got"));
    return none();
  } catch (...) {
    return raise_current("save_for_backward");
  }
}
PyObject* save_for_forward(PyObject* self, PyObject* tensors) {
  try {
    tensors_of(tensors, "got");
    Py_INCREF(tensors);
    Py_XDECREF(std::exchange(Ownership::context(self)->saved_for_forward, tensors));
    return none();
  } catch (...) {
    return raise_current("save_for_forward");
  }
}
PyObject* mark_dirty(PyObject* self, PyObject* tensors) {
  try {
    saved_in(self).mark_dirty(tensors_of(tensors, "got"));
    return none();
  } catch (...) {
    return raise_current("mark_dirty");
  }
}
PyObject* mark_non_differentiable(PyObject* self, PyObject* tensors) {
  try {
    saved_in(self).mark_non_differentiable(tensors_of(tensors, "got"));
    return none();
  } catch (...) {
    return raise_current("mark_non_differentiable");
  }
}
PyObject* set_materialize_grads(PyObject* self, PyObject* value) {
  const int truth = PyObject_IsTrue(value);
  if (truth < 0) return nullptr;
  try {
    saved_in(self).set_materialize_grads(truth != 0);
    return none();
  } catch (...) {
    return raise_current("set_materialize_grads");
  }
}

PyObject* get_saved_tensors(PyObject* self, void*) {
  try {
    if (PyObject* tensors = Ownership::context(self)->saved_for_forward) {
      Py_INCREF(tensors);
      return tensors;
    }
    return tuple_of(saved_in(self).get_saved_variables()).release();
  } catch (...) {
    return raise_current("saved_tensors");
  }
}
PyObject* get_needs_input_grad(PyObject* self, void*) {
  PyObject* needed = Ownership::context(self)->needs_input_grad;
  return needed != nullptr ? Ref::borrow(needed).release() : PyTuple_New(0);
}
int set_needs_input_grad(PyObject* self, PyObject* value, void*) {
  Py_XINCREF(value);
  Py_XDECREF(std::exchange(Ownership::context(self)->needs_input_grad, value));
  return 0;
}

PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(ContextObject, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ContextObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyMethodDef methods[] = {
    {"save_for_backward", save_for_backward, METH_VARARGS,
     "save_for_backward(*tensors)\n\nSaves arguments and results of forward(), or None, for backward(), "
     "which reads them from saved_tensors. Other values can be attributes of the context."},
    {"save_for_forward", save_for_forward, METH_VARARGS, "save_for_forward(*tensors)\n\nThe same for jvp()."},
    {"mark_dirty", mark_dirty, METH_VARARGS,
     "mark_dirty(*arguments)\n\nMarks arguments that forward() modifies in place and returns."},
    {"mark_non_differentiable", mark_non_differentiable, METH_VARARGS,
     "mark_non_differentiable(*results)\n\nMarks results that have no gradient."},
    {"set_materialize_grads", set_materialize_grads, METH_O,
     "set_materialize_grads(value)\n\nWhether backward() and jvp() get zeros instead of None for "
     "undefined gradients (default: True)."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"saved_tensors", get_saved_tensors, nullptr,
     "The tensors of save_for_backward(). RuntimeError if they were freed or modified in place.", nullptr},
    {"needs_input_grad", get_needs_input_grad, set_needs_input_grad,
     "For each argument of apply(), whether it needs a gradient.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
constexpr const char* doc = "The context (ctx) of a call of a Function, and its node in the graph.";
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(construct)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_free, reinterpret_cast<void*>(PyObject_GC_Del)},
                       {Py_tp_members, members},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, properties},
                       {Py_tp_doc, const_cast<char*>(doc)},
                       {0, nullptr}};

}  // namespace

int init_contexts(PyObject* module) {
  PyType_Spec spec{PACKAGE ".autograd.function.FunctionCtx", sizeof(ContextObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  const Ref bases = Ref::steal(PyTuple_Pack(1, reinterpret_cast<PyObject*>(node_type)));
  PyObject* type = bases ? PyType_FromSpecWithBases(&spec, bases.get()) : nullptr;
  if (type == nullptr) return -1;
  context_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  return PyModule_AddObject(module, "_FunctionCtx", type);
}

}  // namespace at::python
