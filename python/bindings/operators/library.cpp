// torch.library: operators and kernels registered by Python. Registrations are removed with their library.
#include "errors.h"
#include "operators/operators.h"
#include "tensor_object.h"
#include "values/ivalues.h"
#include "values/scalars.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <string>
#include <vector>

namespace at::python {
namespace {

// A Python callable as a boxed kernel.
class PythonKernel {
 public:
  PythonKernel(PyObject* function, bool with_keys) : function_(function), with_keys_(with_keys) {
    Py_INCREF(function);
  }
  PythonKernel(PythonKernel&& other) noexcept
      : function_(std::exchange(other.function_, nullptr)),
        with_keys_(other.with_keys_),
        fallback_(other.fallback_) {}
  ~PythonKernel() {
    if (function_ == nullptr || !interpreter_alive()) return;
    GilAcquire gil;
    Py_DECREF(function_);
  }
  // A fallback is for all operators, so it is called with the operator: function(op, *args, **kwargs).
  PythonKernel&& as_fallback() && {
    fallback_ = true;
    return std::move(*this);
  }

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack) {
    GilAcquire gil;
    const c10::FunctionSchema& schema = op.schema();
    const auto values = torch::jit::last(*stack, schema.arguments().size());
    PythonArguments arguments = python_arguments(schema, values);
    if (fallback_) prepend(arguments, own(overload_object(op.entry())));
    if (with_keys_) prepend(arguments, own(PyLong_FromUnsignedLongLong(ks.raw_repr())));
    const Ref result = call_object(function_, arguments.args.get(), arguments.kwargs.get());
    torch::jit::drop(stack, schema.arguments().size());
    push_results(schema, result.get(), stack);
  }

 private:
  static void prepend(PythonArguments& arguments, Ref value) {
    const Ref first = own(PyTuple_Pack(1, value.get()));
    arguments.args = own(PySequence_Concat(first.get(), arguments.args.get()));
  }

  PyObject* function_;
  bool with_keys_;
  bool fallback_ = false;
};

struct LibraryObject {
  PyObject_HEAD std::vector<c10::RegistrationHandleRAII>* registrations;
};

PyTypeObject* library_type = nullptr;

LibraryObject* library(PyObject* self) { return reinterpret_cast<LibraryObject*>(self); }

void keep(PyObject* self, c10::RegistrationHandleRAII handle) {
  library(self)->registrations->push_back(std::move(handle));
  ++definitions_generation;
}

// _Library(ns, claims_namespace)
PyObject* construct(PyTypeObject* type, PyObject* args, PyObject*) {
  const char* ns = nullptr;
  int claims = 0;
  if (!PyArg_ParseTuple(args, "sp:_Library", &ns, &claims)) return nullptr;
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Ref self = Ref::steal(alloc(type, 0));
  if (!self) return nullptr;
  try {
    library(self.get())->registrations = new std::vector<c10::RegistrationHandleRAII>();
    if (claims) keep(self.get(), c10::Dispatcher::singleton().registerLibrary(ns, "registered from Python"));
    return self.release();
  } catch (...) {
    return raise_current(PACKAGE ".library.Library");
  }
}

void undo(LibraryObject* object) {
  if (object->registrations == nullptr) return;
  // In reverse order, so that kernels are removed before their operators' definitions.
  while (!object->registrations->empty()) object->registrations->pop_back();
  ++definitions_generation;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  undo(library(self));
  delete library(self)->registrations;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* destroy(PyObject* self, PyObject*) {
  try {
    undo(library(self));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".library.Library");
  }
}

// define(qualified schema, tags) -> name with overload
PyObject* define(PyObject* self, PyObject* args) {
  const char* schema = nullptr;
  unsigned long long tags = 0;
  if (!PyArg_ParseTuple(args, "sK:define", &schema, &tags)) return nullptr;
  try {
    c10::FunctionSchema parsed = torch::jit::parseSchema(schema);
    const std::string name = c10::toString(parsed.operator_name());
    keep(self, c10::Dispatcher::singleton().registerDef(std::move(parsed), "registered from Python", tags));
    return PyUnicode_FromString(name.c_str());
  } catch (...) {
    return raise_current(PACKAGE ".library.Library.define");
  }
}

c10::DispatchKey key_of(const char* name) {
  return *name ? c10::parseDispatchKey(name) : c10::DispatchKey::CompositeImplicitAutograd;
}

// impl(qualified name, function or None for fall-through, key, with_keyset, allow_override)
PyObject* implement(PyObject* self, PyObject* args) {
  const char *name = nullptr, *key = nullptr;
  PyObject* function = nullptr;
  int with_keys = 0, allow_override = 0;
  if (!PyArg_ParseTuple(args, "sOspp:impl", &name, &function, &key, &with_keys, &allow_override)) {
    return nullptr;
  }
  try {
    auto kernel = function == Py_None
                      ? c10::KernelFunction::makeFallthrough()
                      : c10::KernelFunction::makeFromBoxedFunctor(PythonKernel(function, with_keys != 0));
    keep(self, c10::Dispatcher::singleton().registerImpl(torch::jit::parseName(name), key_of(key),
                                                         std::move(kernel), "registered from Python",
                                                         allow_override != 0));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".library.Library.impl");
  }
}

// fallback(function or None for fall-through, key, with_keyset)
PyObject* fallback(PyObject* self, PyObject* args) {
  const char* key = nullptr;
  PyObject* function = nullptr;
  int with_keys = 0;
  if (!PyArg_ParseTuple(args, "Osp:fallback", &function, &key, &with_keys)) return nullptr;
  try {
    auto kernel =
        function == Py_None
            ? c10::KernelFunction::makeFallthrough()
            : c10::KernelFunction::makeFromBoxedFunctor(PythonKernel(function, with_keys != 0).as_fallback());
    keep(self, c10::Dispatcher::singleton().registerFallback(c10::parseDispatchKey(key), std::move(kernel),
                                                             "registered from Python"));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".library.Library.fallback");
  }
}

PyMethodDef library_methods[] = {{"define", define, METH_VARARGS, nullptr},
                                 {"impl", implement, METH_VARARGS, nullptr},
                                 {"fallback", fallback, METH_VARARGS, nullptr},
                                 {"destroy", destroy, METH_NOARGS, nullptr},
                                 {nullptr, nullptr, 0, nullptr}};
PyType_Slot library_slots[] = {{Py_tp_new, reinterpret_cast<void*>(construct)},
                               {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                               {Py_tp_methods, library_methods},
                               {0, nullptr}};

// ---- queries of the registry

PyObject* operator_names(PyObject*, PyObject*) {
  try {
    Ref list = own(PyList_New(0));
    for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
      check(PyList_Append(list.get(), own(PyUnicode_FromString(c10::toString(name).c_str())).get()));
    }
    return list.release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* computed_table(PyObject*, PyObject* overload) {
  try {
    const auto* op = overload_entry(overload);
    if (op == nullptr) {
      throw_error(PyExc_TypeError, "expected OpOverload, got %s", type_name(overload).c_str());
    }
    return PyUnicode_FromString(c10::OperatorHandle(*op).dumpComputedTable().c_str());
  } catch (...) {
    return raise_current();
  }
}

// The operator's schema as Python data: (text, name, overload, arguments, returns).
PyObject* annotation(const c10::Argument& a) {
  const c10::AliasInfo* alias = a.alias_info();
  if (alias == nullptr) return none();
  const auto names = [](const std::vector<std::string>& from) {
    Ref list = own(PyList_New(0));
    for (const std::string& s : from) {
      check(PyList_Append(list.get(), own(PyUnicode_FromString(s.c_str())).get()));
    }
    return list;
  };
  return Py_BuildValue("(OOO)", names(alias->before).get(), names(alias->after).get(),
                       alias->is_write ? Py_True : Py_False);
}

Ref argument_row(const c10::Argument& a) {
  const Ref alias = own(annotation(a));
  const Ref value = own(a.default_value() ? from_ivalue(*a.default_value(), &a.type()) : none());
  const Ref size = own(a.N() ? PyLong_FromLong(*a.N()) : none());
  return own(Py_BuildValue("(ssOOOOO)", a.name().c_str(), a.type().plain_str().c_str(),
                           a.default_value() ? Py_True : Py_False, value.get(),
                           a.kwarg_only() ? Py_True : Py_False, alias.get(), size.get()));
}

PyObject* schema_data(PyObject*, PyObject* overload) {
  try {
    const auto* op = overload_entry(overload);
    if (op == nullptr) {
      throw_error(PyExc_TypeError, "expected OpOverload, got %s", type_name(overload).c_str());
    }
    const c10::FunctionSchema& schema = op->schema();
    const Ref arguments = own(PyList_New(0)), returns = own(PyList_New(0));
    for (const auto& a : schema.arguments()) check(PyList_Append(arguments.get(), argument_row(a).get()));
    for (const auto& r : schema.returns()) check(PyList_Append(returns.get(), argument_row(r).get()));
    return Py_BuildValue("(sssOO)", schema.str().c_str(), schema.name().c_str(),
                         schema.overload_name().c_str(), arguments.get(), returns.get());
  } catch (...) {
    return raise_current();
  }
}

PyObject* key_bits(PyObject*, PyObject* name) {
  try {
    return PyLong_FromUnsignedLongLong(c10::DispatchKeySet(c10::parseDispatchKey(utf8(name))).raw_repr());
  } catch (...) {
    return raise_current();
  }
}

PyObject* key_names(PyObject*, PyObject* bits) {
  try {
    const unsigned long long raw = PyLong_AsUnsignedLongLong(bits);
    if (PyErr_Occurred()) throw PythonError();
    Ref list = own(PyList_New(0));
    for (const c10::DispatchKey k : c10::DispatchKeySet(c10::DispatchKeySet::RAW, raw)) {
      check(PyList_Append(list.get(), own(PyUnicode_FromString(c10::toString(k))).get()));
    }
    return list.release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* after_bits(PyObject*, PyObject* name) {
  try {
    const auto key = c10::parseDispatchKey(utf8(name));
    return PyLong_FromUnsignedLongLong(c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, key).raw_repr());
  } catch (...) {
    return raise_current();
  }
}

PyObject* tensor_bits(PyObject*, PyObject* tensor) {
  if (is_tensor(tensor)) return PyLong_FromUnsignedLongLong(unwrap(tensor).key_set().raw_repr());
  PyErr_Format(PyExc_TypeError, "expected Tensor, got %s", type_name(tensor).c_str());
  return nullptr;
}

// _tls_keys() -> (included, excluded); _set_tls_keys(included, excluded)
PyObject* tls_keys(PyObject*, PyObject*) {
  const auto state = c10::impl::tls_local_dispatch_key_set();
  return Py_BuildValue("(KK)", static_cast<unsigned long long>(state.included_.raw_repr()),
                       static_cast<unsigned long long>(state.excluded_.raw_repr()));
}
PyObject* set_tls_keys(PyObject*, PyObject* args) {
  unsigned long long included = 0, excluded = 0;
  if (!PyArg_ParseTuple(args, "KK:_set_tls_keys", &included, &excluded)) return nullptr;
  auto state = c10::impl::tls_local_dispatch_key_set();
  state.included_ = c10::DispatchKeySet(c10::DispatchKeySet::RAW, included);
  state.excluded_ = c10::DispatchKeySet(c10::DispatchKeySet::RAW, excluded);
  c10::impl::_force_tls_local_dispatch_key_set(state);
  return none();
}

PyMethodDef functions[] = {{"_operator_names", operator_names, METH_NOARGS, nullptr},
                           {"_computed_table", computed_table, METH_O, nullptr},
                           {"_schema_data", schema_data, METH_O, nullptr},
                           {"_key_bits", key_bits, METH_O, nullptr},
                           {"_key_names", key_names, METH_O, nullptr},
                           {"_keys_after", after_bits, METH_O, nullptr},
                           {"_tensor_keys", tensor_bits, METH_O, nullptr},
                           {"_tls_keys", tls_keys, METH_NOARGS, nullptr},
                           {"_set_tls_keys", set_tls_keys, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_library(PyObject* module) {
  PyType_Spec spec{PACKAGE "._C._Library", sizeof(LibraryObject), 0, Py_TPFLAGS_DEFAULT, library_slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  library_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  if (PyModule_AddObject(module, "_Library", type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
