// Boxed calls of Python kernels: conversion of arguments and results.
#include "errors.h"
#include "operators/operators.h"
#include "tensor_object.h"
#include "values/ivalues.h"
#include "values/scalars.h"

#include <c10/core/DynamicCast.h>

namespace at::python {
namespace {

// Not by item(), which is an operator: modes would see it, and those that compute shapes alone have no
// values.
c10::Scalar wrapped_value(const at::Tensor& t) {
  const void* value = t.const_data_ptr();
  const c10::ScalarType dtype = t.scalar_type();
  if (c10::isComplexType(dtype)) return c10::fetch_and_cast<c10::complex<double>>(dtype, value);
  if (c10::isFloatingType(dtype)) return c10::fetch_and_cast<double>(dtype, value);
  if (dtype == c10::kBool) return c10::fetch_and_cast<bool>(dtype, value);
  if (dtype == c10::kUInt64) return c10::fetch_and_cast<uint64_t>(dtype, value);
  return c10::fetch_and_cast<int64_t>(dtype, value);
}

// A wrapped number is converted back to a Python scalar.
Ref python_value(const c10::IValue& value, const c10::Type& type) {
  if (value.isTensor()) {
    const at::Tensor t = value.toTensor();
    if (t.defined() && t.unsafeGetTensorImpl()->is_wrapped_number() && t.is_cpu()) {
      return own(from_scalar(wrapped_value(t)));
    }
  }
  return own(from_ivalue(value, &type));
}

bool is_default(const c10::Argument& a, const c10::IValue& value) {
  return a.default_value() && *a.default_value() == value;
}

}  // namespace

PythonArguments python_arguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> values) {
  const auto& arguments = schema.arguments();
  size_t num_positional = 0;
  while (num_positional < arguments.size() && !arguments[num_positional].kwarg_only()) ++num_positional;
  size_t shown = num_positional;
  while (shown > 0 && is_default(arguments[shown - 1], values[shown - 1])) --shown;
  PythonArguments out{own(PyTuple_New(static_cast<Py_ssize_t>(shown))), own(PyDict_New())};
  for (size_t i = 0; i < shown; ++i) {
    PyTuple_SetItem(out.args.get(), static_cast<Py_ssize_t>(i),
                    python_value(values[i], arguments[i].type()).release());
  }
  for (size_t i = num_positional; i < arguments.size(); ++i) {
    if (is_default(arguments[i], values[i])) continue;
    const Ref value = python_value(values[i], arguments[i].type());
    check(PyDict_SetItemString(out.kwargs.get(), arguments[i].name().c_str(), value.get()));
  }
  return out;
}

void push_results(const c10::FunctionSchema& schema, PyObject* returned, c10::Stack* stack) {
  const auto& returns = schema.returns();
  if (returns.empty()) {
    if (returned != Py_None) {
      throw_error(PyExc_TypeError, "%s returns nothing, but its Python kernel returned %s",
                  schema.name().c_str(), type_name(returned).c_str());
    }
    return;
  }
  if (returns.size() == 1) {
    stack->push_back(to_ivalue(returned, returns[0].type()));
    return;
  }
  const Ref tuple =
      PyTuple_Check(returned) || PyList_Check(returned) ? own(PySequence_Tuple(returned)) : Ref();
  if (!tuple || PyTuple_Size(tuple.get()) != static_cast<Py_ssize_t>(returns.size())) {
    throw_error(PyExc_TypeError, "%s returns %zu values, but its Python kernel returned %s",
                schema.name().c_str(), returns.size(), type_name(returned).c_str());
  }
  for (size_t i = 0; i < returns.size(); ++i) {
    PyObject* value = PyTuple_GetItem(tuple.get(), static_cast<Py_ssize_t>(i));
    // One of several results may be undefined, such as a gradient that isn't needed.
    const bool undefined = value == Py_None && returns[i].type().kind == c10::TypeKind::Tensor;
    stack->push_back(undefined ? c10::IValue(at::Tensor()) : to_ivalue(value, returns[i].type()));
  }
}

}  // namespace at::python
