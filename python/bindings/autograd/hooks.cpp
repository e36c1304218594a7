// Python functions as hooks of tensors and nodes, and their RemovableHandles.
#include "autograd/autograd.h"
#include "errors.h"
#include "tensor_object.h"

#include <memory>
#include <string>

namespace at::python {
namespace {

// The base of all hooks in Python; the garbage collector visits the function through it.
struct PythonHook {
  explicit PythonHook(PyObject* f) : function(f) {}

  std::string name() const {
    const Ref name = Ref::steal(PyObject_GetAttrString(function.get(), "__name__"));
    if (!name) PyErr_Clear();
    return name && PyUnicode_Check(name.get()) ? utf8(name.get()) : type_name(function.get());
  }
  Ref call(PyObject* a, PyObject* b = nullptr) const { return call_object_with(function.get(), a, b); }
  /// The gradients returned by a node's hook: a tuple like its argument, or None to keep the gradients.
  variable_list replaced(variable_list&& grads, PyObject* result) const;
  void check_same_kind(const at::Tensor& grad, const at::Tensor& result) const;

  HeldObject function;
};

void PythonHook::check_same_kind(const at::Tensor& grad, const at::Tensor& result) const {
  if (!grad.defined() || !result.defined()) return;
  TORCH_CHECK(result.sizes().equals(grad.sizes()), "hook '", name(),
              "' has changed the size of value: expected ", grad.sizes(), ", got ", result.sizes());
  TORCH_CHECK(result.scalar_type() == grad.scalar_type(), "hook '", name(),
              "' has changed the type of value: expected ", grad.scalar_type(), ", got ",
              result.scalar_type());
  TORCH_CHECK(result.device() == grad.device(), "hook '", name(),
              "' has changed the device of value: expected ", grad.device(), ", got ", result.device());
}

variable_list PythonHook::replaced(variable_list&& grads, PyObject* result) const {
  if (result == Py_None) return std::move(grads);
  variable_list tensors = tensors_of(result, "hook '" + name() + "' returned");
  TORCH_CHECK(tensors.size() == grads.size(), "hook '", name(),
              "' has returned an incorrect number of values (got ", tensors.size(), ", but expected ",
              grads.size(), ")");
  for (size_t i = 0; i < grads.size(); ++i) check_same_kind(grads[i], tensors[i]);
  return tensors;
}

struct PythonGradientHook final : autograd::GradientHook, PythonHook {
  using PythonHook::PythonHook;
  at::Tensor call(const at::Tensor& grad) override {
    const GilAcquire gil;
    const Ref result = PythonHook::call(own(wrap(grad)).get());
    if (result.get() == Py_None) return {};
    if (!is_tensor(result.get())) {
      throw_error(PyExc_TypeError, "hook '%s' returned %s: expected Tensor or None", name().c_str(),
                  type_name(result.get()).c_str());
    }
    check_same_kind(grad, unwrap(result.get()));
    return unwrap(result.get());
  }
};

struct PythonAccumulateHook final : autograd::PostHook, PythonHook {
  using PythonHook::PythonHook;
  variable_list operator()(variable_list&& outputs, const variable_list&) override {
    const GilAcquire gil;
    const Ref result = call(own(wrap(outputs[0])).get());
    if (result.get() != Py_None) {
      throw_error(PyExc_RuntimeError,
                  "hook '%s' returned %s: Tensor post accumulate grad hooks should return None",
                  name().c_str(), type_name(result.get()).c_str());
    }
    return std::move(outputs);
  }
};

struct PythonPreHook final : autograd::PreHook, PythonHook {
  using PythonHook::PythonHook;
  variable_list operator()(variable_list&& grads) override {
    const GilAcquire gil;
    const Ref result = call(tuple_of(grads).get());
    return replaced(std::move(grads), result.get());
  }
};

struct PythonPostHook final : autograd::PostHook, PythonHook {
  using PythonHook::PythonHook;
  variable_list operator()(variable_list&& outputs, const variable_list& inputs) override {
    const GilAcquire gil;
    const Ref result = call(tuple_of(outputs).get(), tuple_of(inputs).get());
    return replaced(std::move(outputs), result.get());
  }
};

// ---- handles

struct HandleObject {
  PyObject_HEAD autograd::HookHandle handle;
};
PyTypeObject* handle_type = nullptr;

autograd::HookHandle& handle_of(PyObject* self) { return reinterpret_cast<HandleObject*>(self)->handle; }

PyObject* wrap_handle(autograd::HookHandle handle) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(handle_type, Py_tp_alloc));
  PyObject* o = own(alloc(handle_type, 0)).release();
  new (&handle_of(o)) autograd::HookHandle(std::move(handle));
  return o;
}

PyObject* no_handle(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "RemovableHandle cannot be created directly; register a hook instead");
  return nullptr;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  handle_of(self).~HookHandle();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* remove(PyObject* self, PyObject*) {
  try {
    handle_of(self).remove();
    return none();
  } catch (...) {
    return raise_current("RemovableHandle.remove");
  }
}
PyObject* enter(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}
PyObject* get_id(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(handle_of(self).id()); }

PyMethodDef handle_methods[] = {
    {"remove", remove, METH_NOARGS, "remove()\n\nRemoves the hook; a second call does nothing."},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", remove, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef handle_properties[] = {{"id", get_id, nullptr, "The hook's id.", nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
constexpr const char* handle_doc = "Removes a hook, by remove() or at the end of a with block.";
PyType_Slot handle_slots[] = {{Py_tp_new, reinterpret_cast<void*>(no_handle)},
                              {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                              {Py_tp_methods, handle_methods},
                              {Py_tp_getset, handle_properties},
                              {Py_tp_doc, const_cast<char*>(handle_doc)},
                              {0, nullptr}};

template <class Hook>
std::shared_ptr<Hook> make_hook(PyObject* function) {
  if (PyCallable_Check(function) == 0) {
    throw_error(PyExc_TypeError, "argument 'hook' (position 1): expected a function, got %s",
                type_name(function).c_str());
  }
  return std::make_shared<Hook>(function);
}

template <class Hook>
int visit_hook(Hook& hook, visitproc visit, void* arg) {
  const auto* python = dynamic_cast<const PythonHook*>(&hook);
  if (python != nullptr) Py_VISIT(python->function.get());
  return 0;
}
template <class Registered>
int visit_hooks(const std::vector<Registered>& hooks, visitproc visit, void* arg) {
  for (const Registered& registered : hooks) {
    if (const int status = visit_hook(*registered.hook, visit, arg)) return status;
  }
  return 0;
}

}  // namespace

PyObject* add_gradient_hook(const at::Tensor& t, PyObject* function) {
  return wrap_handle(autograd::add_hook(t, make_hook<PythonGradientHook>(function)));
}
PyObject* add_accumulate_hook(const at::Tensor& t, PyObject* function) {
  return wrap_handle(autograd::add_post_accumulate_hook(t, make_hook<PythonAccumulateHook>(function)));
}
PyObject* add_node_hook(const NodePtr& node, PyObject* function) {
  return wrap_handle(autograd::add_post_hook(node, make_hook<PythonPostHook>(function)));
}
PyObject* add_node_prehook(const NodePtr& node, PyObject* function) {
  return wrap_handle(autograd::add_pre_hook(node, make_hook<PythonPreHook>(function)));
}

int visit_node(autograd::Node& node, visitproc visit, void* arg) {
  if (const autograd::NodeExtras* extras = node.extras()) {
    if (const int status = visit_hooks(extras->tensor_hooks, visit, arg)) return status;
    if (const int status = visit_hooks(extras->pre_hooks, visit, arg)) return status;
    if (const int status = visit_hooks(extras->post_hooks, visit, arg)) return status;
    if (extras->metadata) Py_VISIT(static_cast<const HeldObject*>(extras->metadata.get())->get());
  }
  return visit_context(node, visit, arg);
}

int visit_autograd(const at::Tensor& t, visitproc visit, void* arg) {
  const autograd::AutogradMeta* meta = autograd::meta_of(t);
  if (meta == nullptr) return 0;
  if (meta->leaf_hooks) {
    if (const int status = visit_hooks(meta->leaf_hooks->tensor_hooks, visit, arg)) return status;
    if (const int status = visit_hooks(meta->leaf_hooks->post_accumulate_hooks, visit, arg)) return status;
  }
  return meta->grad_fn && meta->grad_fn.use_count() == 1 ? visit_node(*meta->grad_fn, visit, arg) : 0;
}

Ref tuple_of(const variable_list& tensors) {
  Ref tuple = own(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  for (size_t i = 0; i < tensors.size(); ++i) {
    check(PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), own(wrap(tensors[i])).release()));
  }
  return tuple;
}

variable_list tensors_of(PyObject* sequence, const std::string& what) {
  if (!PyTuple_Check(sequence) && !PyList_Check(sequence)) {
    throw_error(PyExc_TypeError, "%s %s: expected a tuple of Tensor or None", what.c_str(),
                type_name(sequence).c_str());
  }
  variable_list tensors;
  for (Py_ssize_t i = 0; i < PySequence_Size(sequence); ++i) {
    const Ref item = own(PySequence_GetItem(sequence, i));
    if (item.get() == Py_None) {
      tensors.emplace_back();
    } else if (is_tensor(item.get())) {
      tensors.push_back(unwrap(item.get()));
    } else {
      throw_error(PyExc_TypeError, "%s %s at position %zd: expected Tensor or None", what.c_str(),
                  type_name(item.get()).c_str(), i);
    }
  }
  return tensors;
}

int init_hooks(PyObject* module) {
  PyType_Spec spec{PACKAGE ".autograd.graph.RemovableHandle", sizeof(HandleObject), 0, Py_TPFLAGS_DEFAULT,
                   handle_slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  handle_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  return PyModule_AddObject(module, "_RemovableHandle", type);
}

}  // namespace at::python
