// The compiled base of nn.Module: its calls, and the lookup of parameters, buffers and submodules, which take
// several times longer in Python.
#include "nn_module.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace at::python {
namespace {

// Functions that the limited API of 3.10 lacks; null where the interpreter doesn't have them, which is
// slower. The attribute of a type as it is stored in the type or a base, borrowed; null, without an error, if
// there is none. The limited API's functions bind the attribute, and raise an error where there is none.
using TypeLookup = PyObject* (*)(PyTypeObject*, PyObject*);
TypeLookup lookup = nullptr;
// PyObject_Vectorcall, which 3.11 and later export.
using VectorCall = PyObject* (*)(PyObject*, PyObject* const*, size_t, PyObject*);
VectorCall vectorcall = nullptr;

PyObject *forward_name, *getattr_name, *getattribute_name;
std::array<PyObject*, 3> places;                   // of parameters, buffers and submodules
PyObject *usual_getattr, *usual_getattribute;      // what types have that don't define their own
PyTypeObject* function_type;                       // of functions written in Python
std::vector<PyObject*> hook_places, hooks_of_all;  // the attributes that have hooks; dicts
PyObject* call_with_hooks;                         // a function of the module, args and kwargs

// An item of a dict, or of a mapping that replaces one: a new reference; null, without an error, if it isn't
// in there.
PyObject* item_of(PyObject* mapping, PyObject* name) {
  if (PyDict_CheckExact(mapping)) return Ref::borrow(PyDict_GetItemWithError(mapping, name)).release();
  return PySequence_Contains(mapping, name) == 1 ? PyObject_GetItem(mapping, name) : nullptr;
}

// A parameter, buffer or submodule, as item_of().
PyObject* member_of(PyObject* attributes, PyObject* name) {
  for (PyObject* place : places) {
    PyObject* members = PyDict_GetItemWithError(attributes, place);
    PyObject* found = members ? item_of(members, name) : nullptr;
    if (found != nullptr || PyErr_Occurred() != nullptr) return found;
  }
  return nullptr;
}

PyObject* raise_missing(PyObject* self, PyObject* attributes, PyObject* name) {
  bool complete = true;
  for (PyObject* place : places) complete = complete && PyDict_Contains(attributes, place) == 1;
  if (PyErr_Occurred() == nullptr) {
    PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%S'%s", type_name(self).c_str(), name,
                 complete ? "" : ": Module.__init__() wasn't called");
  }
  return nullptr;
}

PyObject* getattr(PyObject* self, PyObject* name) {
  const Ref attributes = Ref::steal(PyObject_GenericGetDict(self, nullptr));
  if (!attributes) return nullptr;
  PyObject* found = member_of(attributes.get(), name);
  return found || PyErr_Occurred() ? found : raise_missing(self, attributes.get(), name);
}

// What is in the module and not in its type, as item_of(); `members`: parameters, buffers and submodules too.
PyObject* instance_attribute(PyObject* attributes, PyObject* name, bool members) {
  PyObject* found = Ref::borrow(PyDict_GetItemWithError(attributes, name)).release();
  return found || PyErr_Occurred() || !members ? found : member_of(attributes, name);
}

// Before 3.12, the interpreter raises and drops an AttributeError before it calls __getattr__. This finds
// what the usual __getattr__ would.
PyObject* getattribute(PyObject* self, PyObject* name) {
  PyTypeObject* type = Py_TYPE(self);
  if (!PyUnicode_Check(name) || lookup(type, name) != nullptr) return PyObject_GenericGetAttr(self, name);
  const Ref attributes = Ref::steal(PyObject_GenericGetDict(self, nullptr));
  if (!attributes) return nullptr;
  const bool members = lookup(type, getattr_name) == usual_getattr;
  PyObject* found = instance_attribute(attributes.get(), name, members);
  return found || PyErr_Occurred() ? found : raise_missing(self, attributes.get(), name);
}

// 1, 0, or -1 with an error. The first place is required: a module without __init__() has none.
int has_hooks(PyObject* self, PyObject* attributes) {
  for (PyObject* hooks : hooks_of_all) {
    if (PyDict_Size(hooks) != 0) return 1;
  }
  for (PyObject* place : hook_places) {
    Ref hooks = Ref::borrow(PyDict_GetItemWithError(attributes, place));
    if (!hooks && place == hook_places.front()) hooks = Ref::steal(PyObject_GetAttr(self, place));
    if (!hooks && PyErr_Occurred() != nullptr) return -1;
    const int some = !hooks                      ? 0
                     : PyDict_Check(hooks.get()) ? PyDict_Size(hooks.get()) != 0
                                                 : PyObject_IsTrue(hooks.get());
    if (some != 0) return some;
  }
  return 0;
}

// The function in the type that `self.forward` binds, borrowed; null if it may be something else.
PyObject* forward_function(PyObject* self, PyObject* attributes) {
  PyTypeObject* type = Py_TYPE(self);
  if (vectorcall == nullptr || lookup == nullptr) return nullptr;
  if (lookup(type, getattribute_name) != usual_getattribute) return nullptr;
  PyObject* function = lookup(type, forward_name);
  const bool plain = function != nullptr && Py_TYPE(function) == function_type;
  return plain && PyDict_GetItemWithError(attributes, forward_name) == nullptr ? function : nullptr;
}

PyObject* call_forward(PyObject* self, PyObject* attributes, PyObject* args, PyObject* kwargs) {
  constexpr Py_ssize_t most = 8;
  constexpr size_t may_use_slot_before = size_t{1} << (8 * sizeof(size_t) - 1);
  const Py_ssize_t n = PyTuple_Size(args);
  if (n <= most && (kwargs == nullptr || PyDict_Size(kwargs) == 0)) {
    const Ref function = Ref::borrow(forward_function(self, attributes));
    if (PyErr_Occurred() != nullptr) return nullptr;
    if (function) {
      std::array<PyObject*, most + 2> values{nullptr, self};
      for (Py_ssize_t i = 0; i < n; ++i) values[i + 2] = PyTuple_GetItem(args, i);
      return vectorcall(function.get(), &values[1], (n + 1) | may_use_slot_before, nullptr);
    }
  }
  const Ref forward = Ref::steal(PyObject_GetAttr(self, forward_name));
  return forward ? PyObject_Call(forward.get(), args, kwargs) : nullptr;
}

PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  const Ref attributes = Ref::steal(PyObject_GenericGetDict(self, nullptr));
  if (!attributes) return nullptr;
  const int hooked = has_hooks(self, attributes.get());
  if (hooked == 0) return call_forward(self, attributes.get(), args, kwargs);
  if (hooked < 0) return nullptr;
  const Ref keywords = kwargs ? Ref::borrow(kwargs) : Ref::steal(PyDict_New());
  return keywords ? PyObject_CallFunctionObjArgs(call_with_hooks, self, args, keywords.get(), nullptr)
                  : nullptr;
}

// Whether attributes are looked up in the usual way, which can be shortened.
bool has_usual_lookup(PyTypeObject* type) {
  return lookup != nullptr && lookup(type, getattribute_name) == usual_getattribute &&
         lookup(type, getattr_name) == usual_getattr;
}

// What a layer of the package looks its attributes up with.
struct Attributes {
  PyObject* dict;
  PyObject* parameters;  // null: none
  bool usual;
};

// First a parameter, as these hide nothing in such a class.
PyObject* own_attribute(PyObject* self, const Attributes& in, PyObject* name) {
  PyObject* found = in.parameters ? item_of(in.parameters, name) : nullptr;
  if (found != nullptr || PyErr_Occurred() != nullptr) return found;
  if (in.usual && lookup(Py_TYPE(self), name) == nullptr) found = instance_attribute(in.dict, name, true);
  return found || PyErr_Occurred() ? found : PyObject_GetAttr(self, name);
}

// The attributes of one or more names, without the interpreter's calls for each of them.
PyObject* own_attributes(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (kwnames != nullptr || n < 2) {
    PyErr_SetString(PyExc_TypeError, "_own_attributes(): expected a module and names");
    return nullptr;
  }
  const Ref dict = Ref::steal(PyObject_GenericGetDict(args[0], nullptr));
  if (!dict) return nullptr;
  const Attributes in{dict.get(), PyDict_GetItemWithError(dict.get(), places[0]),
                      has_usual_lookup(Py_TYPE(args[0]))};
  if (in.parameters == nullptr && PyErr_Occurred() != nullptr) return nullptr;
  if (n == 2) return own_attribute(args[0], in, args[1]);
  Ref tuple = Ref::steal(PyTuple_New(n - 1));
  for (Py_ssize_t i = 1; tuple && i < n; ++i) {
    PyObject* found = own_attribute(args[0], in, args[i]);
    if (found == nullptr) return nullptr;
    PyTuple_SetItem(tuple.get(), i - 1, found);
  }
  return tuple.release();
}

std::vector<PyObject*> kept(PyObject* tuple) {
  std::vector<PyObject*> items;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    items.push_back(Ref::borrow(PyTuple_GetItem(tuple, i)).release());
  }
  return items;
}

PyObject* set_module_hooks(PyObject*, PyObject* args) {
  PyObject *names, *dicts, *function;
  if (!PyArg_ParseTuple(args, "O!O!O:_set_module_hooks", &PyTuple_Type, &names, &PyTuple_Type, &dicts,
                        &function)) {
    return nullptr;
  }
  hook_places = kept(names);
  hooks_of_all = kept(dicts);
  call_with_hooks = Ref::borrow(function).release();
  function_type = Py_TYPE(function);
  return none();
}

PyMethodDef methods[] = {{"__getattr__", getattr, METH_O,
                          "A parameter, buffer or submodule; called for attributes that aren't found else."},
                         {"__getattribute__", getattribute, METH_O, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(call)}, {Py_tp_methods, methods}, {0, nullptr}};

PyMethodDef functions[] = {fast_method("_own_attributes", own_attributes, nullptr),
                           {"_set_module_hooks", set_module_hooks, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

int init_names() {
  places = {PyUnicode_InternFromString("_parameters"), PyUnicode_InternFromString("_buffers"),
            PyUnicode_InternFromString("_modules")};
  forward_name = PyUnicode_InternFromString("forward");
  getattr_name = PyUnicode_InternFromString("__getattr__");
  getattribute_name = PyUnicode_InternFromString("__getattribute__");
  return PyErr_Occurred() == nullptr ? 0 : -1;
}

bool drops_errors_before_getattr() {
  const char* minor = std::strchr(Py_GetVersion(), '.');
  return minor != nullptr && std::atoi(minor + 1) < 12;
}

}  // namespace

int init_nn_module(PyObject* module) {
  if (init_names() < 0) return -1;
  lookup = reinterpret_cast<TypeLookup>(dlsym(RTLD_DEFAULT, "_PyType_Lookup"));
  vectorcall = reinterpret_cast<VectorCall>(dlsym(RTLD_DEFAULT, "PyObject_Vectorcall"));
  if (lookup == nullptr || !drops_errors_before_getattr()) methods[1] = methods[2];
  // Without a size of its own, so that it can be a base beside any other class.
  PyType_Spec spec{PACKAGE "._C._ModuleBase", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  usual_getattr = PyObject_GetAttr(type, getattr_name);
  usual_getattribute = PyObject_GetAttr(type, getattribute_name);
  if (usual_getattr == nullptr || usual_getattribute == nullptr) return -1;
  if (PyModule_AddObject(module, "_ModuleBase", type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
