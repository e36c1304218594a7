// Process-wide and thread-local state (grad mode, inference mode, threads, default dtype, determinism,
// precision), and type promotion.
#include "state.h"

#include "errors.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/GilRelease.h>

#include <algorithm>
#include <limits>

namespace at::python {
namespace {

PyObject* is_grad_enabled(PyObject*, PyObject*) { return boolean(c10::GradMode::is_enabled()); }
PyObject* set_grad_enabled(PyObject*, PyObject* enabled) {
  const int value = PyObject_IsTrue(enabled);
  if (value < 0) return nullptr;
  PyObject* before = boolean(c10::GradMode::is_enabled());
  c10::GradMode::set_enabled(value != 0);
  return before;
}
PyObject* is_inference(PyObject*, PyObject*) { return boolean(c10::InferenceMode::is_enabled()); }

// _enter_inference_mode(enabled) -> token for _exit_inference_mode
PyObject* enter_inference(PyObject*, PyObject* enabled) {
  const int value = PyObject_IsTrue(enabled);
  if (value < 0) return nullptr;
  auto* guard = new c10::InferenceMode(value != 0);
  PyObject* token = PyCapsule_New(guard, nullptr, nullptr);
  if (token == nullptr) delete guard;
  return token;
}
PyObject* exit_inference(PyObject*, PyObject* token) {
  auto* guard = static_cast<c10::InferenceMode*>(PyCapsule_GetPointer(token, nullptr));
  if (guard == nullptr) return nullptr;
  // The name marks the token as used up.
  if (PyCapsule_SetName(token, "used") < 0) return nullptr;
  delete guard;
  return none();
}

PyObject* get_num_threads(PyObject*, PyObject*) { return PyLong_FromLong(at::get_num_threads()); }
PyObject* set_num_threads(PyObject*, PyObject* threads) {
  try {
    if (!is_integer(threads)) {
      throw_error(PyExc_TypeError, "expected int, got %s", type_name(threads).c_str());
    }
    const int64_t n = to_int64(threads);
    TORCH_CHECK(n > 0, "expected a positive number of threads, got ", n);
    at::set_num_threads(static_cast<int>(std::min<int64_t>(n, std::numeric_limits<int>::max())));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".set_num_threads");
  }
}

PyObject* get_default_dtype(PyObject*, PyObject*) {
  return from_dtype(c10::get_default_dtype_as_scalartype());
}
PyObject* set_default_dtype(PyObject*, PyObject* dtype) {
  try {
    c10::set_default_dtype(caffe2::TypeMeta(to_dtype(dtype)));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".set_default_dtype");
  }
}

// 0: any algorithm; 1: a warning, 2: an error where there is no deterministic one.
PyObject* deterministic_mode(PyObject*, PyObject*) {
  const at::Context& context = at::globalContext();
  return PyLong_FromLong(!context.deterministicAlgorithms()          ? 0
                         : context.deterministicAlgorithmsWarnOnly() ? 1
                                                                     : 2);
}
PyObject* set_deterministic_mode(PyObject*, PyObject* mode) {
  const long value = PyLong_AsLong(mode);
  if (value == -1 && PyErr_Occurred()) return nullptr;
  at::globalContext().setDeterministicAlgorithms(value > 0, /*warn_only=*/value == 1);
  return none();
}

PyObject* float32_matmul_precision(PyObject*, PyObject*) {
  return PyLong_FromLong(static_cast<long>(at::globalContext().float32MatmulPrecision()));
}
PyObject* set_float32_matmul_precision(PyObject*, PyObject* precision) {
  const long value = PyLong_AsLong(precision);
  if (value == -1 && PyErr_Occurred()) return nullptr;
  at::globalContext().setFloat32MatmulPrecision(static_cast<at::Float32MatmulPrecision>(value));
  return none();
}

// (bits of the enabled backends, their order in four bits each)
PyObject* sdp_settings(PyObject*, PyObject*) {
  const at::Context& context = at::globalContext();
  return Py_BuildValue("(II)", context.enabledSDPBackends(), context.sdpPriorityOrder());
}
PyObject* set_sdp_settings(PyObject*, PyObject* args) {
  unsigned int enabled = 0, order = 0;
  if (!PyArg_ParseTuple(args, "II:_set_sdp_settings", &enabled, &order)) return nullptr;
  at::globalContext().setEnabledSDPBackends(enabled);
  at::globalContext().setSDPPriorityOrder(order);
  return none();
}

PyObject* promote_types(PyObject*, PyObject* args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO:promote_types", &a, &b)) return nullptr;
  try {
    return from_dtype(c10::promoteTypes(to_dtype(a), to_dtype(b)));
  } catch (...) {
    return raise_current(PACKAGE ".promote_types");
  }
}

PyObject* can_cast(PyObject*, PyObject* args) {
  PyObject *from, *to;
  if (!PyArg_ParseTuple(args, "OO:can_cast", &from, &to)) return nullptr;
  try {
    return boolean(c10::canCast(to_dtype(from), to_dtype(to)));
  } catch (...) {
    return raise_current(PACKAGE ".can_cast");
  }
}

at::native::ResultTypeState add_operand(PyObject* o, const at::native::ResultTypeState& state, int position) {
  if (is_tensor(o)) return at::native::update_result_type_state(unwrap(o), state);
  if (is_scalar(o)) return at::native::update_result_type_state(to_scalar(o), state);
  throw_error(PyExc_TypeError, PACKAGE ".result_type(): argument %d: expected Tensor or Number, got %s",
              position, type_name(o).c_str());
}

PyObject* result_type(PyObject*, PyObject* args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO:result_type", &a, &b)) return nullptr;
  try {
    return from_dtype(at::native::result_type(add_operand(b, add_operand(a, {}, 1), 2)));
  } catch (...) {
    return raise_current(PACKAGE ".result_type");
  }
}

PyObject* at_exit(PyObject*, PyObject*) {
  interpreter_exits();
  return none();
}

PyMethodDef functions[] = {
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS,
     "is_grad_enabled() -> bool\n\nWhether grad mode is enabled in this thread."},
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_inference_mode_enabled", is_inference, METH_NOARGS,
     "is_inference_mode_enabled() -> bool\n\nWhether this thread is in inference mode."},
    {"_enter_inference_mode", enter_inference, METH_O, nullptr},
    {"_exit_inference_mode", exit_inference, METH_O, nullptr},
    {"get_num_threads", get_num_threads, METH_NOARGS,
     "get_num_threads() -> int\n\nThe number of threads that a kernel may use."},
    {"set_num_threads", set_num_threads, METH_O,
     "set_num_threads(n)\n\nSets the number of threads that a kernel may use."},
    {"get_default_dtype", get_default_dtype, METH_NOARGS,
     "get_default_dtype() -> dtype\n\nThe dtype of factory functions without a dtype argument."},
    {"set_default_dtype", set_default_dtype, METH_O,
     "set_default_dtype(d)\n\nSets the floating-point dtype of factory functions without a dtype argument."},
    {"_deterministic_mode", deterministic_mode, METH_NOARGS, nullptr},
    {"_set_deterministic_mode", set_deterministic_mode, METH_O, nullptr},
    {"_float32_matmul_precision", float32_matmul_precision, METH_NOARGS, nullptr},
    {"_set_float32_matmul_precision", set_float32_matmul_precision, METH_O, nullptr},
    {"_sdp_settings", sdp_settings, METH_NOARGS, nullptr},
    {"_set_sdp_settings", set_sdp_settings, METH_VARARGS, nullptr},
    {"promote_types", promote_types, METH_VARARGS,
     "promote_types(type1, type2) -> dtype\n\nThe dtype to which both promote."},
    {"can_cast", can_cast, METH_VARARGS,
     "can_cast(from_, to) -> bool\n\nWhether results of dtype from_ can be written to dtype to."},
    {"result_type", result_type, METH_VARARGS,
     "result_type(a, b) -> dtype\n\nThe result dtype of an operation on the two."},
    {nullptr, nullptr, 0, nullptr}};

// The hooks by which kernels release the GIL.
void* release_gil() { return interpreter_alive() && PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void reacquire_gil(void* token) { restore_thread(static_cast<PyThreadState*>(token)); }
constexpr c10::impl::GilHooks gil_hooks{release_gil, reacquire_gil};

}  // namespace

int init_state(PyObject* module) {
  c10::impl::set_gil_hooks(&gil_hooks);
  static PyMethodDef exit_function = {"_at_exit", at_exit, METH_NOARGS, nullptr};
  const Ref function = Ref::steal(PyCFunction_New(&exit_function, nullptr));
  const Ref atexit = Ref::steal(PyImport_ImportModule("atexit"));
  if (!function || !atexit) return -1;
  const Ref done = Ref::steal(PyObject_CallMethod(atexit.get(), "register", "O", function.get()));
  return done ? PyModule_AddFunctions(module, functions) : -1;
}

}  // namespace at::python
