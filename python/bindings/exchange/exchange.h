// Memory shared with other libraries: DLPack and NumPy.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

namespace at::python {

/// What is handed to another library: a tensor of its own over the memory, so that resize_() finds it shared,
/// and `t.data = ...` leaves it where it is.
at::Tensor share_of(const at::Tensor& t);

// Methods of Tensor.
PyObject* tensor_dlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* tensor_dlpack_device(PyObject* self, PyObject*);
PyObject* tensor_numpy(PyObject* self, PyObject* args, PyObject* kwargs);

int init_dlpack(PyObject* module);
int init_numpy(PyObject* module);

}  // namespace at::python
