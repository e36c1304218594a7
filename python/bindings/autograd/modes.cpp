// Modes of autograd that Python sets: anomaly mode, saved tensor hooks, forward mode.
#include "autograd/autograd.h"
#include "errors.h"
#include "tensor_object.h"

#include <torch/autograd/anomaly.h>
#include <torch/autograd/forward.h>
#include <torch/autograd/saved_variable.h>

#include <memory>
#include <string>
#include <vector>

namespace at::python {
namespace {

at::Tensor& tensor_argument(PyObject* o, const char* name) {
  if (is_tensor(o)) return unwrap(o);
  throw_error(PyExc_TypeError, "argument '%s': expected Tensor, got %s", name, type_name(o).c_str());
}

// -------------------- anomaly mode

// The current Python stack trace, the innermost frame last.
std::string python_stack() {
  if (!interpreter_alive()) return {};
  const GilAcquire gil;
  try {
    const Ref traceback = own(PyImport_ImportModule("traceback"));
    const Ref lines = own(PyObject_CallMethod(traceback.get(), "format_stack", nullptr));
    const Ref nothing = own(PyUnicode_FromString(""));
    return utf8(own(PyUnicode_Join(nothing.get(), lines.get())).get());
  } catch (const PythonError&) {
    return {};
  }
}

void warn_in_python(const std::string& message) {
  if (!interpreter_alive()) return;
  const GilAcquire gil;
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) < 0) throw PythonError();
}

// _set_anomaly(enabled, check_nan)
PyObject* set_anomaly(PyObject*, PyObject* args) {
  int enabled = 0, check_nan = 0;
  if (!PyArg_ParseTuple(args, "pp:_set_anomaly", &enabled, &check_nan)) return nullptr;
  autograd::AnomalyMode::set_enabled(enabled != 0, check_nan != 0);
  return none();
}
PyObject* anomaly_enabled(PyObject*, PyObject*) { return boolean(autograd::AnomalyMode::is_enabled()); }
PyObject* anomaly_checks_nan(PyObject*, PyObject*) { return boolean(autograd::AnomalyMode::checks_nan()); }

// -------------------- saved tensor hooks

class PythonSavedHooks final : public autograd::SavedVariableHooks {
 public:
  PythonSavedHooks(PyObject* pack, PyObject* unpack) : pack_(pack), unpack_(unpack) {}
  void pack(const at::Tensor& t) override {
    const GilAcquire gil;
    const Ref argument = own(wrap(t));
    packed_ = std::make_unique<HeldObject>(call_object_with(pack_.get(), argument.get()).get());
  }
  at::Tensor unpack() override {
    const GilAcquire gil;
    const Ref result = call_object_with(unpack_.get(), packed_->get());
    if (!is_tensor(result.get())) {
      throw_error(PyExc_TypeError, "Output of saved tensor unpack_hook expected to be a Tensor but got %s",
                  type_name(result.get()).c_str());
    }
    return unwrap(result.get());
  }

 private:
  HeldObject pack_, unpack_;
  std::unique_ptr<HeldObject> packed_;
};

// A list of (pack, unpack), the innermost last; created on first use, never freed (it is empty at thread
// exit).
thread_local PyObject* saved_hooks = nullptr;

std::unique_ptr<autograd::SavedVariableHooks> make_saved_hooks() {
  const GilAcquire gil;
  const Py_ssize_t n = saved_hooks ? PyList_Size(saved_hooks) : 0;
  if (n == 0) return nullptr;
  PyObject* pair = PyList_GetItem(saved_hooks, n - 1);
  return std::make_unique<PythonSavedHooks>(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1));
}

// _push_saved_tensors_hooks(pack, unpack)
PyObject* push_saved_hooks(PyObject*, PyObject* args) {
  PyObject *pack, *unpack;
  if (!PyArg_ParseTuple(args, "OO:_push_saved_tensors_hooks", &pack, &unpack)) return nullptr;
  if (saved_hooks == nullptr && (saved_hooks = PyList_New(0)) == nullptr) return nullptr;
  if (PyList_Append(saved_hooks, args) < 0) return nullptr;
  autograd::set_saved_variable_hooks(&make_saved_hooks);
  return none();
}
PyObject* pop_saved_hooks(PyObject*, PyObject*) {
  const Py_ssize_t n = saved_hooks ? PyList_Size(saved_hooks) : 0;
  if (n == 0) {
    PyErr_SetString(PyExc_RuntimeError, "no saved tensor hooks are active in this thread");
    return nullptr;
  }
  if (n == 1) autograd::set_saved_variable_hooks(nullptr);
  return PyList_SetSlice(saved_hooks, n - 1, n, nullptr) < 0 ? nullptr : none();
}

// -------------------- forward mode

PyObject* enter_dual_level(PyObject*, PyObject*) {
  try {
    return PyLong_FromUnsignedLongLong(autograd::ForwardLevel::enter());
  } catch (...) {
    return raise_current("enter_dual_level");
  }
}
PyObject* exit_dual_level(PyObject*, PyObject* level) {
  try {
    const unsigned long long number = PyLong_AsUnsignedLongLong(level);
    if (PyErr_Occurred()) throw PythonError();
    autograd::ForwardLevel::exit(number);
    return none();
  } catch (...) {
    return raise_current("exit_dual_level");
  }
}
// _make_dual(tensor, tangent)
PyObject* make_dual(PyObject*, PyObject* args) {
  PyObject *value, *tangent;
  if (!PyArg_ParseTuple(args, "OO:make_dual", &value, &tangent)) return nullptr;
  try {
    return wrap(autograd::make_dual(tensor_argument(value, "tensor"), tensor_argument(tangent, "tangent"),
                                    autograd::ForwardLevel::current()));
  } catch (...) {
    return raise_current("make_dual");
  }
}
// _unpack_dual(tensor) -> (value, tangent or None)
PyObject* unpack_dual(PyObject*, PyObject* dual) {
  try {
    auto [value, tangent] =
        autograd::unpack_dual(tensor_argument(dual, "tensor"), autograd::ForwardLevel::current());
    return tuple_of({std::move(value), std::move(tangent)}).release();
  } catch (...) {
    return raise_current("unpack_dual");
  }
}

// -------------------- other functions

// _gradient_edge(tensor) -> (node, input_nr)
PyObject* gradient_edge(PyObject*, PyObject* o) {
  try {
    const autograd::Edge edge = autograd::gradient_edge(tensor_argument(o, "tensor"));
    TORCH_CHECK(edge.is_valid(),
                "It is not possible to get the gradient edge for a Tensor that does not require gradients");
    return Py_BuildValue("(NI)", own(wrap_node(edge.function)).release(), edge.input_nr);
  } catch (...) {
    return raise_current("get_gradient_edge");
  }
}

PyObject* increment_version(PyObject*, PyObject* o) {
  try {
    const at::Tensor& t = tensor_argument(o, "tensor");
    TORCH_CHECK(!t.is_inference(), "inference tensors have no version");
    t.unsafeGetTensorImpl()->bump_version();
    return none();
  } catch (...) {
    return raise_current("increment_version");
  }
}

PyMethodDef functions[] = {{"_set_anomaly", set_anomaly, METH_VARARGS, nullptr},
                           {"_anomaly_enabled", anomaly_enabled, METH_NOARGS, nullptr},
                           {"_anomaly_checks_nan", anomaly_checks_nan, METH_NOARGS, nullptr},
                           {"_push_saved_tensors_hooks", push_saved_hooks, METH_VARARGS, nullptr},
                           {"_pop_saved_tensors_hooks", pop_saved_hooks, METH_NOARGS, nullptr},
                           {"_enter_dual_level", enter_dual_level, METH_NOARGS, nullptr},
                           {"_exit_dual_level", exit_dual_level, METH_O, nullptr},
                           {"_make_dual", make_dual, METH_VARARGS, nullptr},
                           {"_unpack_dual", unpack_dual, METH_O, nullptr},
                           {"_gradient_edge", gradient_edge, METH_O, nullptr},
                           {"_increment_version", increment_version, METH_O, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_autograd_modes(PyObject* module) {
  autograd::set_trace_of_caller(&python_stack);
  autograd::set_warning_handler(&warn_in_python);
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
