// Sharing memory with other libraries: DLPack and NumPy.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

namespace at::python {

/// The tensor to export to another library: a new tensor over the same memory, so that resize_() sees that
/// the storage is shared, and `t.data = ...` doesn't affect the exported memory.
at::Tensor share_of(const at::Tensor& t);

/// Terminated by a null name.
extern PyMethodDef tensor_exchange_methods[];

// Methods of Tensor.
PyObject* tensor_dlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* tensor_dlpack_device(PyObject* self, PyObject*);
PyObject* tensor_numpy(PyObject* self, PyObject* args, PyObject* kwargs);

// A property of Tensor.
PyObject* tensor_cuda_array_interface(PyObject* self, void*);

int init_dlpack(PyObject* module);
int init_cuda_array(PyObject* module);
int init_numpy(PyObject* module);

}  // namespace at::python
