// Memory shared with other libraries: DLPack and NumPy.
#pragma once
#include "prelude.h"

namespace at::python {

// Methods of Tensor.
PyObject* tensor_dlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* tensor_dlpack_device(PyObject* self, PyObject*);
PyObject* tensor_numpy(PyObject* self, PyObject* args, PyObject* kwargs);

int init_dlpack(PyObject* module);
int init_numpy(PyObject* module);

}  // namespace at::python
