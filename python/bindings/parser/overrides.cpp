// __torch_function__.
#include "parser/overrides.h"

#include "errors.h"
#include "parser/parser.h"
#include "tensor_object.h"

#include <algorithm>
#include <string>

namespace at::python {

thread_local OverrideState override_state;

namespace {

// _disabled_torch_function_impl: a class with this __torch_function__ is treated like Tensor.
PyObject* disabled_override = nullptr;
PyObject* override_name = nullptr;

PyObject* disabled(PyObject*, PyObject* args) {
  PyObject *func, *types, *rest = nullptr, *kwargs = nullptr;
  if (!PyArg_UnpackTuple(args, "_disabled_torch_function_impl", 2, 5, &func, &types, &rest, &kwargs)) {
    return nullptr;
  }
  const Ref none_given = rest ? Ref() : Ref::steal(PyTuple_New(0));
  const bool before = override_state.subclasses_off;
  override_state.subclasses_off = true;
  PyObject* out = PyObject_Call(func, rest ? rest : none_given.get(), kwargs == Py_None ? nullptr : kwargs);
  override_state.subclasses_off = before;
  return out;
}

bool is_plain(PyObject* o) {
  return o == Py_None || PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) ||
         PyUnicode_CheckExact(o) || PyTuple_CheckExact(o) || PyList_CheckExact(o) ||
         Py_TYPE(o) == &PySlice_Type || o == Py_Ellipsis;
}

// Another library's tensors override that library's functions; for a function of this one they would call it
// again.
bool is_foreign_tensor(PyObject* o) {
  return !is_tensor(o) && has_attribute(reinterpret_cast<PyObject*>(Py_TYPE(o)), "__dlpack__");
}

bool overrides(PyObject* o) {
  if (is_exact_tensor(o) || is_plain(o)) return false;
  if (is_tensor(o) && override_state.subclasses_off) return false;
  const Ref method = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(o)), override_name));
  if (!method) {
    PyErr_Clear();
    return false;
  }
  if (is_foreign_tensor(o)) return false;
  return method.get() != disabled_override && method.get() != Py_None;
}

Ref types_of(const Overridden& overridden) {
  Ref types = own(PyTuple_New(static_cast<Py_ssize_t>(overridden.objects().size())));
  Py_ssize_t i = 0;
  for (PyObject* o : overridden.objects()) {
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(o));
    Py_INCREF(type);
    PyTuple_SetItem(types.get(), i++, type);
  }
  return types;
}

// Removes the innermost mode while it handles a call.
class WithoutMode {
 public:
  WithoutMode() {
    const Py_ssize_t last = PyList_Size(override_state.modes) - 1;
    mode_ = Ref::borrow(PyList_GetItem(override_state.modes, last));
    check(PyList_SetSlice(override_state.modes, last, last + 1, nullptr));
    override_state.modes_active = last > 0;
  }
  ~WithoutMode() {
    if (PyList_Append(override_state.modes, mode_.get()) < 0) PyErr_Clear();
    override_state.modes_active = true;
  }
  PyObject* mode() const { return mode_.get(); }

 private:
  Ref mode_;
};

PyObject* call_torch_function(PyObject* target, PyObject* func, PyObject* types, PyObject* args,
                              PyObject* kwargs) {
  const Ref method = own(PyObject_GetAttr(target, override_name));
  return own(PyObject_CallFunctionObjArgs(method.get(), func, types, args, kwargs, nullptr)).release();
}

[[noreturn]] void throw_no_implementation(PyObject* func, PyObject* types) {
  const Ref name = Ref::steal(PyObject_GetAttrString(func, "__name__"));
  if (!name) PyErr_Clear();
  throw_error(PyExc_TypeError,
              "no implementation found for '%S' on types that implement __torch_function__: %R",
              name ? name.get() : func, types);
}

// The Python object of a generated function: of the compiled submodule, since a function in Python may have
// the public name, or that may be another (linalg.vector_norm is linalg_vector_norm).
Ref callable_of(const Function& f) {
  if (f.is_method()) return own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), f.name));
  std::string submodule = *f.module != '\0' ? f.module : "VariableFunctions";
  submodule.resize(std::min(submodule.find('.'), submodule.size()));  // nn.functional is _C._nn
  return import_from(("_C._" + submodule).c_str(), f.name);
}

}  // namespace

bool Overridden::add_if_overrides(PyObject* o) {
  if (!overrides(o)) return false;
  PyTypeObject* type = Py_TYPE(o);
  size_t place = objects_.size();
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (Py_TYPE(objects_[i]) == type) return true;
    if (place == objects_.size() && PyType_IsSubtype(type, Py_TYPE(objects_[i]))) place = i;
  }
  objects_.insert(objects_.begin() + static_cast<std::ptrdiff_t>(place), o);
  return true;
}

Ref keywords_of(PyObject* const* values, PyObject* kwnames) {
  if (kwnames == nullptr || PyTuple_Size(kwnames) == 0) return {};
  Ref dict = own(PyDict_New());
  for (Py_ssize_t k = 0; k < PyTuple_Size(kwnames); ++k) {
    check(PyDict_SetItem(dict.get(), PyTuple_GetItem(kwnames, k), values[k]));
  }
  return dict;
}

PyObject* call_override(PyObject* callable, PyObject* args, PyObject* kwargs, const Overridden& overridden) {
  const Ref types = types_of(overridden);
  const Ref no_keywords = kwargs ? Ref() : own(PyDict_New());
  PyObject* keywords = kwargs ? kwargs : no_keywords.get();
  if (override_state.modes_active) {
    const WithoutMode off;
    Ref result = Ref::steal(call_torch_function(off.mode(), callable, types.get(), args, keywords));
    if (result.get() != Py_NotImplemented) return result.release();
  }
  for (PyObject* o : overridden.objects()) {
    Ref result = Ref::steal(
        call_torch_function(reinterpret_cast<PyObject*>(Py_TYPE(o)), callable, types.get(), args, keywords));
    if (result.get() != Py_NotImplemented) return result.release();
  }
  throw_no_implementation(callable, types.get());
}

PyObject* overridden_attribute(PyObject* self, const char* name) {
  if (is_exact_tensor(self) && !overrides_active()) return nullptr;
  Overridden overridden;
  if (!overridden.add_if_overrides(self)) return nullptr;
  const Ref descriptor = own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name));
  const Ref getter = own(PyObject_GetAttrString(descriptor.get(), "__get__"));
  const Ref args = own(PyTuple_Pack(1, self));
  return call_override(getter.get(), args.get(), nullptr, overridden);
}

PyObject* call_override(const Function& f, const Call& call, const Overridden& overridden) {
  const Ref callable = callable_of(f);
  const Py_ssize_t shift = call.self != nullptr ? 1 : 0;
  const Ref args = own(PyTuple_New(call.nargs + shift));
  for (Py_ssize_t i = 0; i < call.nargs + shift; ++i) {
    PyObject* o = i < shift ? call.self : call.args[i - shift];
    Py_INCREF(o);
    PyTuple_SetItem(args.get(), i, o);
  }
  const Ref kwargs = keywords_of(call.args + call.nargs, call.kwnames);
  return call_override(callable.get(), args.get(), kwargs.get(), overridden);
}

namespace {

PyObject* push_mode(PyObject*, PyObject* mode) {
  OverrideState& state = override_state;
  if (state.modes == nullptr && (state.modes = PyList_New(0)) == nullptr) return nullptr;
  if (PyList_Append(state.modes, mode) < 0) return nullptr;
  state.modes_active = true;
  return none();
}

PyObject* pop_mode(PyObject*, PyObject*) {
  OverrideState& state = override_state;
  const Py_ssize_t size = state.modes ? PyList_Size(state.modes) : 0;
  if (size == 0) {
    PyErr_SetString(PyExc_RuntimeError, "no function mode is active");
    return nullptr;
  }
  Ref mode = Ref::borrow(PyList_GetItem(state.modes, size - 1));
  if (PyList_SetSlice(state.modes, size - 1, size, nullptr) < 0) return nullptr;
  state.modes_active = size > 1;
  return mode.release();
}

// Sets whether subclasses can override functions; returns the previous value.
PyObject* set_subclasses(PyObject*, PyObject* enabled) {
  const int value = PyObject_IsTrue(enabled);
  if (value < 0) return nullptr;
  PyObject* before = boolean(!override_state.subclasses_off);
  override_state.subclasses_off = value == 0;
  return before;
}

PyObject* has_override(PyObject*, PyObject* o) { return boolean(overrides(o)); }

// Whether a mode is active or one of the arguments overrides functions: for functions in Python.
PyObject* any_override(PyObject*, PyObject* args) {
  bool any = overrides_active();
  for (Py_ssize_t i = 0; i < PyTuple_Size(args) && !any; ++i) any = overrides(PyTuple_GetItem(args, i));
  return boolean(any);
}

// (function, relevant arguments, args, kwargs): the result of the override that takes the call.
PyObject* handle_override(PyObject*, PyObject* given) {
  PyObject *function, *relevant, *args, *kwargs;
  if (!PyArg_ParseTuple(given, "OO!O!O!:_handle_torch_function", &function, &PyTuple_Type, &relevant,
                        &PyTuple_Type, &args, &PyDict_Type, &kwargs)) {
    return nullptr;
  }
  try {
    Overridden overridden;
    for (Py_ssize_t i = 0; i < PyTuple_Size(relevant); ++i) {
      overridden.add_if_overrides(PyTuple_GetItem(relevant, i));
    }
    return call_override(function, args, kwargs, overridden);
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef functions[] = {
    {"_disabled_torch_function_impl", disabled, METH_VARARGS,
     "As __torch_function__ of a subclass, disables its overrides."},
    {"_push_function_mode", push_mode, METH_O, nullptr},
    {"_pop_function_mode", pop_mode, METH_NOARGS, nullptr},
    {"_set_torch_function_enabled", set_subclasses, METH_O, nullptr},
    {"_has_torch_function", has_override, METH_O, nullptr},
    {"_any_torch_function", any_override, METH_VARARGS, nullptr},
    {"_handle_torch_function", handle_override, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

int init_overrides(PyObject* module) {
  override_name = PyUnicode_InternFromString("__torch_function__");
  if (override_name == nullptr || PyModule_AddFunctions(module, functions) < 0) return -1;
  disabled_override = PyObject_GetAttrString(module, "_disabled_torch_function_impl");
  return disabled_override ? 0 : -1;
}

}  // namespace at::python
