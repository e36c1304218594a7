// Conversions between Python objects and IValues, for arguments and results of boxed calls.
#pragma once
#include "prelude.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

namespace at::python {

/// `o` as a value of the schema type; throws PythonError (TypeError) with the expected type. Numbers are
/// accepted as tensors only if `numbers_as_tensors`.
c10::IValue to_ivalue(PyObject* o, const c10::Type& type, bool numbers_as_tensors = false);
/// Whether the type of `o` is one that to_ivalue accepts.
bool fits(PyObject* o, const c10::Type& type);

/// A new reference. `type`, if given, distinguishes a dtype, layout or memory_format from the int that the
/// IValue holds, also in lists.
PyObject* from_ivalue(const c10::IValue& value, const c10::Type* type = nullptr);

/// The results of a call in Python: None, a value, or a tuple.
PyObject* from_results(c10::ArrayRef<c10::IValue> values, const c10::FunctionSchema& schema);

}  // namespace at::python
