// Between Python objects and IValues: the arguments and results of boxed calls.
#pragma once
#include "prelude.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

namespace at::python {

/// `o` as a value of the schema type; throws PythonError (TypeError) that says what was expected. A number
/// serves as a Tensor only where `numbers_as_tensors`.
c10::IValue to_ivalue(PyObject* o, const c10::Type& type, bool numbers_as_tensors = false);
/// Whether to_ivalue would take it, by its type alone.
bool fits(PyObject* o, const c10::Type& type);

/// A new reference. `type`, where given, tells a dtype, layout or memory_format from the int it is held as,
/// and lists.
PyObject* from_ivalue(const c10::IValue& value, const c10::Type* type = nullptr);

/// The results of a call as Python has them: nothing, a value, or a tuple.
PyObject* from_results(c10::ArrayRef<c10::IValue> values, const c10::FunctionSchema& schema);

}  // namespace at::python
