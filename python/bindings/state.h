// Functions that set process-wide and thread-local state, such as grad mode and the number of threads.
#pragma once
#include "prelude.h"

namespace at::python {

/// Adds the functions to the module, and installs the hooks by which kernels release the GIL.
int init_state(PyObject* module);
/// The functions by which a thread's calls are recorded.
int init_profiler(PyObject* module);

}  // namespace at::python
