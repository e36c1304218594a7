// State of the process and of threads that Python sets.
#pragma once
#include "prelude.h"

namespace at::python {

/// Adds the functions, and lets kernels give the GIL up.
int init_state(PyObject* module);

}  // namespace at::python
