// The type aten.Tensor: its methods, attributes and indexing. tensor_object.h has the object.
#pragma once
#include "tensor_object.h"

namespace at::python {

/// Creates the type with the given generated methods and the hand-written ones; adds it to the module.
int init_tensor(PyObject* module, const PyMethodDef* generated_methods, const PyType_Slot* slots);

// Hand-written method and attribute tables, each terminated by a null name; autograd and exchange have
// others.
extern PyMethodDef tensor_methods[];
extern PyGetSetDef tensor_properties[];
extern PyType_Slot tensor_slots[];

// x[index] and x[index] = value.
PyObject* get_item(PyObject* self, PyObject* index);
int set_item(PyObject* self, PyObject* index, PyObject* value);

}  // namespace at::python
