// The compiled base of nn.Module.
#pragma once
#include "prelude.h"

namespace at::python {

int init_nn_module(PyObject* module);

}  // namespace at::python
