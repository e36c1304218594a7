// aten.ops.<ns>.<op>.<overload>: every operator of the registry as a Python object, called with a stack of
// IValues.
#pragma once
#include "prelude.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace at::python {

/// A new reference to the OpOverload of an operator: one immortal object for each.
PyObject* overload_object(const c10::OperatorEntry& op);
/// The operator of an OpOverload; null for other objects.
const c10::OperatorEntry* overload_entry(PyObject* o);

/// Incremented when Python defines operators or removes definitions.
extern uint64_t definitions_generation;

/// The arguments of a boxed call for a Python call: positional ones in a tuple, keyword-only ones in a
/// dict, without trailing arguments that equal their defaults.
struct PythonArguments {
  Ref args;
  Ref kwargs;
};
PythonArguments python_arguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> values);
/// Pushes the return value of a Python kernel to the stack, as the schema's results.
void push_results(const c10::FunctionSchema& schema, PyObject* returned, c10::Stack* stack);

int init_operators(PyObject* module);
int init_modes(PyObject* module);
int init_library(PyObject* module);

}  // namespace at::python
