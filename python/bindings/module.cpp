// The module <package>._C: types, generated functions in their submodules, and process-wide state.
#include "autocast.h"
#include "autograd/autograd.h"
#include "bindings.h"
#include "devices/devices.h"
#include "errors.h"
#include "exchange/construct.h"
#include "exchange/exchange.h"
#include "nn_module.h"
#include "operators/operators.h"
#include "parser/overrides.h"
#include "state.h"
#include "tensor/tensor.h"
#include "values/values.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace at::python {
namespace {

// Method tables of the generated functions by submodule; methods of Tensor are under "Tensor". Python keeps
// pointers to the tables.
using Tables = std::map<std::string, std::vector<PyMethodDef>>;

Tables& generated_tables() {
  static auto* tables = [] {
    auto* found = new Tables();
    (*found)["Tensor"];
    for (const BindingRow* const* rows = generated_rows; *rows != nullptr; ++rows) {
      for (const BindingRow* row = *rows; row->name != nullptr; ++row) {
        (*found)[row->module ? row->module : "Tensor"].push_back(
            fast_method(row->name, row->function, row->doc));
      }
    }
    for (auto& [module, table] : *found) table.push_back({nullptr, nullptr, 0, nullptr});
    return found;
  }();
  return *tables;
}

// _C._VariableFunctions for the top level, else _C._nn, _C._linalg, ... by the entry's python_module.
std::string submodule_name(const std::string& module) {
  return module.empty() ? "_VariableFunctions" : "_" + module;
}

int add_functions(PyObject* module) {
  for (auto& [name, table] : generated_tables()) {
    if (name == "Tensor") continue;
    const std::string full_name = std::string(PACKAGE "._C.") + submodule_name(name);
    PyObject* sub = PyImport_AddModule(full_name.c_str());  // borrowed
    if (sub == nullptr || PyModule_AddFunctions(sub, table.data()) < 0) return -1;
    Py_INCREF(sub);
    if (PyModule_AddObject(module, submodule_name(name).c_str(), sub) < 0) return -1;
  }
  return 0;
}

int add_tag_names(PyObject* module) {
  const Ref names = Ref::steal(PyList_New(0));
  for (const char* const* name = tag_names; names && *name != nullptr; ++name) {
    const Ref text = Ref::steal(PyUnicode_InternFromString(*name));
    if (!text || PyList_Append(names.get(), text.get()) < 0) return -1;
  }
  PyObject* tuple = names ? PyList_AsTuple(names.get()) : nullptr;
  return tuple == nullptr ? -1 : PyModule_AddObject(module, "_tag_names", tuple);
}

// The runtime's threads and finalizers acquire the main interpreter's GIL, so only that one can use its
// objects.
PyObject* refuse_subinterpreter(PyObject*, PyObject*) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return none();
  PyErr_SetString(PyExc_ImportError, PACKAGE
                  " cannot be imported in a subinterpreter; import it in the main one, or use a process");
  return nullptr;
}

// A second interpreter gets the module without PyInit__C, so the package calls this as well.
PyMethodDef functions[] = {{"_refuse_subinterpreter", refuse_subinterpreter, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

int fill(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) return -1;
  if (init_errors(module) < 0 || init_values(module) < 0 || init_size(module) < 0 ||
      init_generator(module) < 0) {
    return -1;
  }
  if (init_devices(module) < 0 || init_streams(module) < 0 || init_events(module) < 0) return -1;
  if (init_overrides(module) < 0 ||
      init_tensor(module, generated_tables()["Tensor"].data(), generated_slots) < 0) {
    return -1;
  }
  if (init_nodes(module) < 0 || init_hooks(module) < 0 || init_functions(module) < 0 ||
      init_engine(module) < 0 || init_autograd_modes(module) < 0 || init_batching(module) < 0) {
    return -1;
  }
  if (init_construct(module) < 0 || init_dlpack(module) < 0 || init_numpy(module) < 0 ||
      init_cuda_array(module) < 0) {
    return -1;
  }
  if (PyModule_AddStringConstant(module, "__version__", PACKAGE_VERSION) < 0) return -1;
  if (init_operators(module) < 0 || init_modes(module) < 0 || init_library(module) < 0) return -1;
  if (init_state(module) < 0 || init_autocast(module) < 0 || init_profiler(module) < 0 ||
      init_nn_module(module) < 0) {
    return -1;
  }
  if (add_tag_names(module) < 0) return -1;
  return add_functions(module);
}

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          PACKAGE "._C",
                          "The compiled part of the package.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace at::python

extern "C" __attribute__((visibility("default"))) PyObject* PyInit__C() {
  if (at::python::refuse_subinterpreter(nullptr, nullptr) == nullptr) return nullptr;
  PyObject* module = PyModule_Create(&at::python::definition);
  if (module == nullptr) return nullptr;
  if (at::python::fill(module) < 0) {
    Py_DECREF(module);
    return nullptr;
  }
  return module;
}
