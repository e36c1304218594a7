// Generated from templates/python/bindings/functions.cpp.mako; not to be edited.
// Python functions and Tensor methods: the parser's tables, and the operator call of each overload.
#include "bindings.h"
#include "errors.h"
#include "parser/parser.h"
#include "values/results.h"

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/blend_ops.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/gauss_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/probe_ops.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/special_knots_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/update_ops.h>
#include <ATen/ops/window_ops.h>
#include <ATen/ops/window_copy_ops.h>

namespace at::python {

namespace {
constexpr Param method_fold_0_params[] = {
    {"dim", ParamType::Int, HasDefault, 0},
    {"keepdim", ParamType::Bool, HasDefault, 0},
};
PyObject* method_fold_0_names[2];
const char* const method_fold_0_fields[] = {
    "values",
    "indices",
};
NamedTuple method_fold_0_type{"fold", 2, method_fold_0_fields};
constexpr Overload method_fold_overloads[] = {
    {"(int dim = -1, bool keepdim = False)", method_fold_0_params, 2, 2, 0, method_fold_0_names},
};
constexpr Function method_fold_spec{"fold", PACKAGE ".Tensor.fold", nullptr, method_fold_overloads, 1};
}  // namespace

PyObject* method_fold(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_fold_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::fold_dim::call(_a.self(_self), _a.integer(0, -1), _a.boolean(1, false));
        return result_tuple(_result, &method_fold_0_type);
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_fold_spec.prefix);
  }
}

namespace {
constexpr Param method_join_0_params[] = {
    {"masks", ParamType::OptionalTensorList, 0, 0},
};
PyObject* method_join_0_names[1];
constexpr Overload method_join_overloads[] = {
    {"(tuple of Tensors masks)", method_join_0_params, 1, 1, 1, method_join_0_names},
};
constexpr Function method_join_spec{"join", PACKAGE ".Tensor.join", nullptr, method_join_overloads, 1};
}  // namespace

PyObject* method_join(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[1];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_join_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::join_masks::call(_a.self(_self), _a.optional_tensors(0));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_join_spec.prefix);
  }
}

namespace {
constexpr Param method_pour__0_params[] = {
    {"source", ParamType::Tensor, 0, 0},
    {"non_blocking", ParamType::Bool, HasDefault, 0},
};
PyObject* method_pour__0_names[2];
constexpr Overload method_pour__overloads[] = {
    {"(Tensor source, bool non_blocking = False)", method_pour__0_params, 2, 2, 1, method_pour__0_names},
};
constexpr Function method_pour__spec{"pour_", PACKAGE ".Tensor.pour_", nullptr, method_pour__overloads, 1};
}  // namespace

PyObject* method_pour_(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_pour__spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::pour_::call(_a.self(_self), _a.tensor(0), _a.boolean(1, false));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_pour__spec.prefix);
  }
}

namespace {
constexpr Overload method_probe_overloads[] = {
    {"()", nullptr, 0, 0, 0, nullptr},
};
constexpr Function method_probe_spec{"probe", PACKAGE ".Tensor.probe", nullptr, method_probe_overloads, 1};
}  // namespace

PyObject* method_probe(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[1];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_probe_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::probe::call(_a.self(_self));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_probe_spec.prefix);
  }
}

namespace {
constexpr Param method_scale_0_params[] = {
    {"other", ParamType::Tensor, 0, 0},
    {"alpha", ParamType::Scalar, HasDefault | KeywordOnly, 0},
};
PyObject* method_scale_0_names[2];
constexpr Overload method_scale_overloads[] = {
    {"(Tensor other, *, Number alpha = 1)", method_scale_0_params, 2, 1, 1, method_scale_0_names},
};
constexpr Function method_scale_spec{"scale", PACKAGE ".Tensor.scale", nullptr, method_scale_overloads, 1};
}  // namespace

PyObject* method_scale(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_scale_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::scale_Tensor::call(_a.self(_self), _a.tensor(0), _a.scalar(1, 1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_scale_spec.prefix);
  }
}

namespace {
constexpr Param method_scale__0_params[] = {
    {"other", ParamType::Tensor, 0, 0},
    {"alpha", ParamType::Scalar, HasDefault | KeywordOnly, 0},
};
PyObject* method_scale__0_names[2];
constexpr Overload method_scale__overloads[] = {
    {"(Tensor other, *, Number alpha = 1)", method_scale__0_params, 2, 1, 1, method_scale__0_names},
};
constexpr Function method_scale__spec{"scale_", PACKAGE ".Tensor.scale_", nullptr, method_scale__overloads, 1};
}  // namespace

PyObject* method_scale_(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_scale__spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::scale__Tensor::call(_a.self(_self), _a.tensor(0), _a.scalar(1, 1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_scale__spec.prefix);
  }
}

namespace {
constexpr Param method_turn_0_params[] = {
    {"shifts", ParamType::IntList, 0, 1},
    {"dims", ParamType::IntList, HasDefault | TakesNone, 1},
};
PyObject* method_turn_0_names[2];
constexpr Overload method_turn_overloads[] = {
    {"(tuple of ints shifts, tuple of ints dims = ())", method_turn_0_params, 2, 2, 1, method_turn_0_names},
};
constexpr Function method_turn_spec{"turn", PACKAGE ".Tensor.turn", nullptr, method_turn_overloads, 1};
}  // namespace

PyObject* method_turn(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_turn_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::turn::call(_a.self(_self), _a.ints(0), _a.ints(1, {}));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_turn_spec.prefix);
  }
}

namespace {
constexpr Param method_window_0_params[] = {
    {"size", ParamType::IntList, 0, 0},
    {"offset", ParamType::Int, HasDefault | TakesNone, 0},
};
PyObject* method_window_0_names[2];
constexpr Overload method_window_overloads[] = {
    {"(tuple of ints size, int offset = None)", method_window_0_params, 2, 2, 1, method_window_0_names},
};
constexpr Function method_window_spec{"window", PACKAGE ".Tensor.window", nullptr, method_window_overloads, 1};
}  // namespace

PyObject* method_window(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[2];
  Arguments _a(_storage);
  try {
    switch (_a.parse(method_window_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::window::call(_a.self(_self), _a.symints(0), _a.optional_symint(1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(method_window_spec.prefix);
  }
}

namespace {
constexpr Param function_fold_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"dim", ParamType::Int, HasDefault, 0},
    {"keepdim", ParamType::Bool, HasDefault, 0},
    {"out", ParamType::TensorList, HasDefault | TakesNone | KeywordOnly, 2},
};
PyObject* function_fold_0_names[4];
const char* const function_fold_0_fields[] = {
    "values",
    "indices",
};
NamedTuple function_fold_0_type{"fold", 2, function_fold_0_fields};
constexpr Overload function_fold_overloads[] = {
    {"(Tensor input, int dim = -1, bool keepdim = False, *, tuple of 2 Tensors out = None)", function_fold_0_params, 4, 3, 1, function_fold_0_names},
};
constexpr Function function_fold_spec{"fold", PACKAGE ".fold", "", function_fold_overloads, 1};
}  // namespace

PyObject* function_fold(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[4];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_fold_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        if (_a.has(3)) {
          auto _out = _a.tensors_n<2>(3);
          auto&& _result = at::_ops::fold_dim_out::call(_a.tensor(0), _a.integer(1, -1), _a.boolean(2, false), _out[0], _out[1]);
          return result_tuple(_result, &function_fold_0_type);
        }
        auto&& _result = at::_ops::fold_dim::call(_a.tensor(0), _a.integer(1, -1), _a.boolean(2, false));
        return result_tuple(_result, &function_fold_0_type);
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_fold_spec.prefix);
  }
}

namespace {
constexpr Param function_gauss_0_params[] = {
    {"mean", ParamType::Tensor, 0, 0},
    {"std", ParamType::Double, HasDefault, 0},
    {"generator", ParamType::Generator, HasDefault | TakesNone | KeywordOnly, 0},
    {"out", ParamType::Tensor, KeywordOnly, 0},
};
PyObject* function_gauss_0_names[4];
constexpr Overload function_gauss_overloads[] = {
    {"(Tensor mean, float std = 1, *, Generator generator = None, Tensor out)", function_gauss_0_params, 4, 2, 1, function_gauss_0_names},
};
constexpr Function function_gauss_spec{"gauss", PACKAGE ".gauss", "", function_gauss_overloads, 1};
}  // namespace

PyObject* function_gauss(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[4];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_gauss_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::gauss_out::call(_a.tensor(0), _a.real(1, 1), _a.optional_generator(2), _a.tensor(3));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_gauss_spec.prefix);
  }
}

namespace {
constexpr Param function_join_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"masks", ParamType::OptionalTensorList, 0, 0},
};
PyObject* function_join_0_names[2];
constexpr Param function_join_1_params[] = {
    {"tensors", ParamType::TensorList, 0, 0},
    {"dim", ParamType::Int, HasDefault, 0},
    {"out", ParamType::Tensor, HasDefault | TakesNone | KeywordOnly, 0},
};
PyObject* function_join_1_names[3];
constexpr Overload function_join_overloads[] = {
    {"(Tensor input, tuple of Tensors masks)", function_join_0_params, 2, 2, 2, function_join_0_names},
    {"(tuple of Tensors tensors, int dim = 0, *, Tensor out = None)", function_join_1_params, 3, 2, 1, function_join_1_names},
};
constexpr Function function_join_spec{"join", PACKAGE ".join", "", function_join_overloads, 2};
}  // namespace

PyObject* function_join(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[3];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_join_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::join_masks::call(_a.tensor(0), _a.optional_tensors(1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
      case 1: {
        if (_a.has(2)) {
          auto&& _result = at::_ops::join_out::call(at::TensorList(_a.tensors(0)), _a.integer(1, 0), _a.tensor(2));
          return result(static_cast<decltype(_result)&&>(_result));
        }
        auto&& _result = at::_ops::join::call(at::TensorList(_a.tensors(0)), _a.integer(1, 0));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_join_spec.prefix);
  }
}

namespace {
constexpr Param function_probe_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
};
PyObject* function_probe_0_names[1];
constexpr Overload function_probe_overloads[] = {
    {"(Tensor input)", function_probe_0_params, 1, 1, 1, function_probe_0_names},
};
constexpr Function function_probe_spec{"probe", PACKAGE ".probe", "", function_probe_overloads, 1};
}  // namespace

PyObject* function_probe(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[1];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_probe_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::probe::call(_a.tensor(0));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_probe_spec.prefix);
  }
}

namespace {
constexpr Param function_ramp_0_params[] = {
    {"n", ParamType::Int, 0, 0},
    {"step", ParamType::Scalar, HasDefault, 0},
    {"dtype", ParamType::ScalarType, HasDefault | TakesNone | KeywordOnly, 0},
    {"layout", ParamType::Layout, HasDefault | TakesNone | KeywordOnly, 0},
    {"device", ParamType::Device, HasDefault | TakesNone | KeywordOnly, 0},
    {"pin_memory", ParamType::Bool, HasDefault | TakesNone | KeywordOnly, 0},
    {"requires_grad", ParamType::Bool, HasDefault | TakesNone | KeywordOnly, 0},
};
PyObject* function_ramp_0_names[7];
constexpr Overload function_ramp_overloads[] = {
    {"(int n, Number step = 1, *, dtype dtype = None, layout layout = None, device device = None, bool pin_memory = False, bool requires_grad = False)", function_ramp_0_params, 7, 2, 1, function_ramp_0_names},
};
constexpr Function function_ramp_spec{"ramp", PACKAGE ".ramp", "", function_ramp_overloads, 1};
}  // namespace

PyObject* function_ramp(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[7];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_ramp_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::ramp::call(_a.integer(0), _a.scalar(1, 1), _a.optional_dtype(2), _a.optional_layout(3), _a.optional_device(4), _a.boolean(5, false));
        if (_a.boolean(6, false)) _result.set_requires_grad(true);
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_ramp_spec.prefix);
  }
}

namespace {
constexpr Param function_scale_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"other", ParamType::Tensor, 0, 0},
    {"alpha", ParamType::Scalar, HasDefault | KeywordOnly, 0},
    {"out", ParamType::Tensor, HasDefault | TakesNone | KeywordOnly, 0},
};
PyObject* function_scale_0_names[4];
constexpr Overload function_scale_overloads[] = {
    {"(Tensor input, Tensor other, *, Number alpha = 1, Tensor out = None)", function_scale_0_params, 4, 2, 2, function_scale_0_names},
};
constexpr Function function_scale_spec{"scale", PACKAGE ".scale", "", function_scale_overloads, 1};
}  // namespace

PyObject* function_scale(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[4];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_scale_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        if (_a.has(3)) {
          auto&& _result = at::_ops::scale_out::call(_a.tensor(0), _a.tensor(1), _a.scalar(2, 1), _a.tensor(3));
          return result(static_cast<decltype(_result)&&>(_result));
        }
        auto&& _result = at::_ops::scale_Tensor::call(_a.tensor(0), _a.tensor(1), _a.scalar(2, 1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_scale_spec.prefix);
  }
}

namespace {
constexpr Param function_turn_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"shifts", ParamType::IntList, 0, 1},
    {"dims", ParamType::IntList, HasDefault | TakesNone, 1},
};
PyObject* function_turn_0_names[3];
constexpr Overload function_turn_overloads[] = {
    {"(Tensor input, tuple of ints shifts, tuple of ints dims = ())", function_turn_0_params, 3, 3, 2, function_turn_0_names},
};
constexpr Function function_turn_spec{"turn", PACKAGE ".turn", "", function_turn_overloads, 1};
}  // namespace

PyObject* function_turn(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[3];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_turn_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::turn::call(_a.tensor(0), _a.ints(1), _a.ints(2, {}));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_turn_spec.prefix);
  }
}

namespace {
constexpr Param function_update_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"running", ParamType::Tensor, 0, 0},
    {"momentum", ParamType::Double, HasDefault, 0},
};
PyObject* function_update_0_names[3];
constexpr Overload function_update_overloads[] = {
    {"(Tensor input, Tensor running, float momentum = 0.1)", function_update_0_params, 3, 3, 2, function_update_0_names},
};
constexpr Function function_update_spec{"update", PACKAGE ".update", "", function_update_overloads, 1};
}  // namespace

PyObject* function_update(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[3];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_update_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::update::call(_a.tensor(0), _a.tensor(1), _a.real(2, 0.1));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_update_spec.prefix);
  }
}

namespace {
constexpr Param function_window_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"size", ParamType::IntList, 0, 0},
    {"offset", ParamType::Int, HasDefault | TakesNone, 0},
};
PyObject* function_window_0_names[3];
constexpr Overload function_window_overloads[] = {
    {"(Tensor input, tuple of ints size, int offset = None)", function_window_0_params, 3, 3, 2, function_window_0_names},
};
constexpr Function function_window_spec{"window", PACKAGE ".window", "", function_window_overloads, 1};
}  // namespace

PyObject* function_window(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[3];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_window_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::window::call(_a.tensor(0), _a.symints(1), _a.optional_symint(2));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_window_spec.prefix);
  }
}

namespace {
constexpr Param function_window_copy_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"size", ParamType::IntList, 0, 0},
    {"offset", ParamType::Int, HasDefault | TakesNone, 0},
    {"out", ParamType::Tensor, HasDefault | TakesNone | KeywordOnly, 0},
};
PyObject* function_window_copy_0_names[4];
constexpr Overload function_window_copy_overloads[] = {
    {"(Tensor input, tuple of ints size, int offset = None, *, Tensor out = None)", function_window_copy_0_params, 4, 3, 2, function_window_copy_0_names},
};
constexpr Function function_window_copy_spec{"window_copy", PACKAGE ".window_copy", "", function_window_copy_overloads, 1};
}  // namespace

PyObject* function_window_copy(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[4];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_window_copy_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        if (_a.has(3)) {
          auto&& _result = at::_ops::window_copy_out::call(_a.tensor(0), _a.symints(1), _a.optional_symint(2), _a.tensor(3));
          return result(static_cast<decltype(_result)&&>(_result));
        }
        auto&& _result = at::_ops::window_copy::call(_a.tensor(0), _a.symints(1), _a.optional_symint(2));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_window_copy_spec.prefix);
  }
}

namespace {
constexpr Param function_nn_blend_0_params[] = {
    {"input", ParamType::Tensor, 0, 0},
    {"weight", ParamType::Tensor, HasDefault | TakesNone, 0},
    {"eps", ParamType::Double, HasDefault | KeywordOnly, 0},
    {"mode", ParamType::String, HasDefault | KeywordOnly, 0},
};
PyObject* function_nn_blend_0_names[4];
constexpr Overload function_nn_blend_overloads[] = {
    {"(Tensor input, Tensor weight = None, *, float eps = 1e-05, str mode = 'mean')", function_nn_blend_0_params, 4, 2, 1, function_nn_blend_0_names},
};
constexpr Function function_nn_blend_spec{"blend", PACKAGE ".nn.functional.blend", "nn.functional", function_nn_blend_overloads, 1};
}  // namespace

PyObject* function_nn_blend(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[4];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_nn_blend_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::blend::call(_a.tensor(0), _a.optional_tensor(1), _a.real(2, 1e-05), _a.string(3, "mean"));
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_nn_blend_spec.prefix);
  }
}

namespace {
constexpr Param function_special_special_knots_0_params[] = {
    {"n", ParamType::Int, 0, 0},
    {"dtype", ParamType::ScalarType, HasDefault | TakesNone | KeywordOnly, 0},
    {"layout", ParamType::Layout, HasDefault | TakesNone | KeywordOnly, 0},
    {"device", ParamType::Device, HasDefault | TakesNone | KeywordOnly, 0},
    {"pin_memory", ParamType::Bool, HasDefault | TakesNone | KeywordOnly, 0},
    {"requires_grad", ParamType::Bool, HasDefault | TakesNone | KeywordOnly, 0},
};
PyObject* function_special_special_knots_0_names[6];
constexpr Overload function_special_special_knots_overloads[] = {
    {"(int n, *, dtype dtype = None, layout layout = None, device device = None, bool pin_memory = False, bool requires_grad = False)", function_special_special_knots_0_params, 6, 1, 1, function_special_special_knots_0_names},
};
constexpr Function function_special_special_knots_spec{"special_knots", PACKAGE ".special.knots", "special", function_special_special_knots_overloads, 1};
}  // namespace

PyObject* function_special_special_knots(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[6];
  Arguments _a(_storage);
  try {
    switch (_a.parse(function_special_special_knots_spec, _self, _args, _nargs, _kwnames)) {
      case 0: {
        auto&& _result = at::_ops::special_knots::call(_a.integer(0), _a.optional_dtype(1), _a.optional_layout(2), _a.optional_device(3), _a.boolean(4, false));
        if (_a.boolean(5, false)) _result.set_requires_grad(true);
        return result(static_cast<decltype(_result)&&>(_result));
      }
    }
    return _a.result();
  } catch (...) {
    return raise_current(function_special_special_knots_spec.prefix);
  }
}

extern const BindingRow rows_0[];
const BindingRow rows_0[] = {
    {nullptr, "fold", &method_fold, "fold($self, dim=-1, keepdim=False)\012--\012\012fold(dim=-1, keepdim=False) -> (Tensor values, Tensor indices)\012\012Greatest element along dim, and \"where\" it was found; at 100 % a \\ stands as it is.\012\012Operators: aten::fold.dim.\012\012Args:\012    dim (int, optional, default -1): dimension of size N.\012    keepdim (bool, optional, default False): whether reduced dimensions stay, with size 1.\012\012Returns:\012    values: (...), the greatest elements.\012    indices: (...), int64, their places.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    IndexError: unless dim in dims(self); if N is 0.\012    RuntimeError: if input is complex.\012\012Example:\012    >>> golden.fold(golden.ones(2), 0)[0]\012    tensor(1.)\012\012    >>> len(\"\\n\")  # lines of Python have backslashes and \"quotes\"\012    1"},
    {nullptr, "join", &method_join, "join($self, masks)\012--\012\012join(masks) -> tuple of Tensors\012\012Operators: aten::join.masks.\012\012Args:\012    masks (tuple of Tensors)\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless all tensors are on one device."},
    {nullptr, "pour_", &method_pour_, "pour_($self, source, non_blocking=False)\012--\012\012pour_(source, non_blocking=False) -> Tensor\012\012Copies source, which is broadcast, into the tensor.\012\012In place: 'self' is written to and returned.\012\012Operators: aten::pour_.\012\012Args:\012    source (Tensor)\012    non_blocking (bool, optional, default False): whether a copy between host and device may still run when the call returns.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless all tensors are on one device."},
    {nullptr, "probe", &method_probe, "probe($self)\012--\012\012probe() -> bool\012\012Operators: aten::probe.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above."},
    {nullptr, "scale", &method_scale, "scale($self, other, *, alpha=1)\012--\012\012scale(other, *, alpha=1) -> Tensor\012\012Product of the operands times alpha.\012    x * other * alpha, or \316\261x\302\262\012\012Operators: aten::scale.Tensor.\012\012Args:\012    other (Tensor)\012    alpha (Number, optional, default 1): factor of the last operand.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless dim(self) in 1, 2; all tensors but other are on one device."},
    {nullptr, "scale_", &method_scale_, "scale_($self, other, *, alpha=1)\012--\012\012scale_(other, *, alpha=1) -> Tensor\012\012Product of the operands times alpha.\012    x * other * alpha, or \316\261x\302\262\012\012In place: 'self' is written to and returned.\012\012Operators: aten::scale_.Tensor.\012\012Args:\012    other (Tensor)\012    alpha (Number, optional, default 1): factor of the last operand.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless dim(self) in 1, 2; all tensors but other are on one device."},
    {nullptr, "turn", &method_turn, "turn($self, shifts, dims=())\012--\012\012turn(shifts, dims=()) -> Tensor\012\012Operators: aten::turn.\012\012Args:\012    shifts (tuple of ints)\012    dims (tuple of ints, optional, default ())\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    IndexError: unless dims in dims(self)."},
    {nullptr, "window", &method_window, "window($self, size, offset=None)\012--\012\012window(size, offset=None) -> Tensor\012\012View of the first elements in another shape.\012\012Operators: aten::window.\012\012Args:\012    size (tuple of ints): shape of the result.\012    offset (int, optional, default None)\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless len(size) in 1, 2; size > 0; offset != -1."},
    {"", "fold", &function_fold, "fold(input, dim=-1, keepdim=False, *, out=None)\012--\012\012fold(input, dim=-1, keepdim=False, *, out=None) -> (Tensor values, Tensor indices)\012\012Greatest element along dim, and \"where\" it was found; at 100 % a \\ stands as it is.\012\012Operators: aten::fold.dim and aten::fold.dim_out.\012\012Args:\012    input (Tensor): (..., N, ...), real; where a \\ ends the line \\.\012    dim (int, optional, default -1): dimension of size N.\012    keepdim (bool, optional, default False): whether reduced dimensions stay, with size 1.\012    out (tuple of 2 Tensors, optional, default None): written to instead of a new result; resized if its shape differs.\012\012Returns:\012    values: (...), the greatest elements.\012    indices: (...), int64, their places.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    IndexError: unless dim in dims(input); if N is 0.\012    RuntimeError: if input is complex.\012\012Example:\012    >>> golden.fold(golden.ones(2), 0)[0]\012    tensor(1.)\012\012    >>> len(\"\\n\")  # lines of Python have backslashes and \"quotes\"\012    1"},
    {"", "gauss", &function_gauss, "gauss(mean, std=1, *, generator=None, out)\012--\012\012gauss(mean, std=1, *, generator=None, out) -> Tensor\012\012Operators: aten::gauss.out.\012\012Args:\012    mean (Tensor)\012    std (float, optional, default 1)\012    generator (Generator, optional, default None): source of random numbers; None is the device's default one.\012    out (Tensor): written to instead of a new result; resized if its shape differs.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless all tensors are on one device."},
    {"", "join", &function_join, "join(input, masks) -> tuple of Tensors\012join(tensors, dim=0, *, out=None) -> Tensor\012\012Operators: aten::join.masks; aten::join and aten::join.out.\012\012Args:\012    input (Tensor)\012    masks (tuple of Tensors)\012    tensors (tuple of Tensors)\012    dim (int, optional, default 0): dimension in [-ndim, ndim).\012    out (Tensor, optional, default None): written to instead of a new result; resized if its shape differs.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless all tensors are on one device."},
    {"", "probe", &function_probe, "probe(input)\012--\012\012probe(input) -> bool\012\012Operators: aten::probe.\012\012Args:\012    input (Tensor)\012\012Raises:\012    TypeError: the arguments fit none of the signatures above."},
    {"", "ramp", &function_ramp, "ramp(n, step=1, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)\012--\012\012ramp(n, step=1, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False) -> Tensor\012\012Operators: aten::ramp.\012\012Args:\012    n (int)\012    step (Number, optional, default 1)\012    dtype (dtype, optional, default None): element type of the result.\012    layout (layout, optional, default None): layout of the result; only strided tensors can be made.\012    device (device, optional, default None): where the result lies.\012    pin_memory (bool, optional, default False): whether host memory is page-locked.\012    requires_grad (bool, optional, default False): whether autograd is to record operations on the result.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above."},
    {"", "scale", &function_scale, "scale(input, other, *, alpha=1, out=None)\012--\012\012scale(input, other, *, alpha=1, out=None) -> Tensor\012\012Product of the operands times alpha.\012    x * other * alpha, or \316\261x\302\262\012\012Operators: aten::scale.Tensor and aten::scale.out.\012\012Args:\012    input (Tensor)\012    other (Tensor)\012    alpha (Number, optional, default 1): factor of the last operand.\012    out (Tensor, optional, default None): written to instead of a new result; resized if its shape differs.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless dim(input) in 1, 2; all tensors but other are on one device."},
    {"", "turn", &function_turn, "turn(input, shifts, dims=())\012--\012\012turn(input, shifts, dims=()) -> Tensor\012\012Operators: aten::turn.\012\012Args:\012    input (Tensor)\012    shifts (tuple of ints)\012    dims (tuple of ints, optional, default ())\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    IndexError: unless dims in dims(input)."},
    {"", "update", &function_update, "update(input, running, momentum=0.1)\012--\012\012update(input, running, momentum=0.1) -> Tensor\012\012Operators: aten::update.\012\012Args:\012    input (Tensor)\012    running (Tensor)\012    momentum (float, optional, default 0.1)\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless all tensors are on one device."},
    {"", "window", &function_window, "window(input, size, offset=None)\012--\012\012window(input, size, offset=None) -> Tensor\012\012View of the first elements in another shape.\012\012Operators: aten::window.\012\012Args:\012    input (Tensor)\012    size (tuple of ints): shape of the result.\012    offset (int, optional, default None)\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless len(size) in 1, 2; size > 0; offset != -1."},
    {"", "window_copy", &function_window_copy, "window_copy(input, size, offset=None, *, out=None)\012--\012\012window_copy(input, size, offset=None, *, out=None) -> Tensor\012\012Operators: aten::window_copy and aten::window_copy.out.\012\012Args:\012    input (Tensor)\012    size (tuple of ints): shape of the result.\012    offset (int, optional, default None)\012    out (Tensor, optional, default None): written to instead of a new result; resized if its shape differs.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above."},
    {"nn", "blend", &function_nn_blend, "blend(input, weight=None, *, eps=1e-05, mode='mean')\012--\012\012blend(input, weight=None, *, eps=1e-05, mode='mean') -> Tensor\012\012Operators: aten::blend.\012\012Args:\012    input (Tensor)\012    weight (Tensor, optional, default None)\012    eps (float, optional, default 1e-05)\012    mode (str, optional, default 'mean')\012\012Raises:\012    TypeError: the arguments fit none of the signatures above.\012    RuntimeError: unless eps >= 0; dtype(weight) in float32, float64; all tensors are on one device."},
    {"special", "special_knots", &function_special_special_knots, "special_knots(n, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)\012--\012\012special_knots(n, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False) -> Tensor\012\012Operators: aten::special_knots.\012\012Args:\012    n (int)\012    dtype (dtype, optional, default None): element type of the result.\012    layout (layout, optional, default None): layout of the result; only strided tensors can be made.\012    device (device, optional, default None): where the result lies.\012    pin_memory (bool, optional, default False): whether host memory is page-locked.\012    requires_grad (bool, optional, default False): whether autograd is to record operations on the result.\012\012Raises:\012    TypeError: the arguments fit none of the signatures above."},
    {nullptr, nullptr, nullptr, nullptr},
};

}  // namespace at::python
