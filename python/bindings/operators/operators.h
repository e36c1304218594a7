// aten.ops.<ns>.<op>.<overload>: every operator of the registry as a Python object, called with a stack of
// IValues.
#pragma once
#include "prelude.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace at::python {

/// The OpOverload of an operator: one object for each, kept for ever. A new reference.
PyObject* overload_object(const c10::OperatorEntry& op);
/// The operator of an OpOverload; null for other objects.
const c10::OperatorEntry* overload_entry(PyObject* o);

/// Counts how often Python defined operators or took definitions back.
extern uint64_t definitions_generation;

/// The arguments of a boxed call as Python passes them: positional ones in a tuple, keyword-only ones in a
/// dict; what is equal to its default at the end is left out.
struct PythonArguments {
  Ref args;
  Ref kwargs;
};
PythonArguments python_arguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> values);
/// Puts what a Python kernel returned on the stack, as the schema's results.
void push_results(const c10::FunctionSchema& schema, PyObject* returned, c10::Stack* stack);

int init_operators(PyObject* module);
int init_modes(PyObject* module);
int init_library(PyObject* module);

}  // namespace at::python
