// State of the process and of threads that Python sets.
#pragma once
#include "prelude.h"

namespace at::python {

/// Adds the functions, and lets kernels give the GIL up.
int init_state(PyObject* module);
/// Lets tensors carry requires_grad and a gradient where the library has no autograd that does it.
void init_autograd_meta();

}  // namespace at::python
