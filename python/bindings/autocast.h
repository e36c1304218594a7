// Functions that set autocast's thread-local state.
#pragma once
#include "prelude.h"

namespace at::python {

int init_autocast(PyObject* module);

}  // namespace at::python
