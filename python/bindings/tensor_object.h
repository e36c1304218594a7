// The Python object of a tensor: at most one per TensorImpl at a time, found through the impl's PyObjectSlot.
//
// Usually the Python object owns the tensor. If its last Python reference is released while C++ still holds
// the tensor, and the object has state (attributes, weak references, a subclass), ownership is reversed: the
// impl owns the Python object until Python refers to it again.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

namespace at::python {

struct TensorObject {
  PyObject_HEAD PyObject* attributes;  // __dict__, created on first use
  PyObject* weak_references;
  at::Tensor tensor;  // when !owns_tensor: the impl owns this object, and this handle holds no reference
  bool owns_tensor;
  bool tracked;  // an exact Tensor that track() was called for
};

/// aten.Tensor; set when the module is initialised.
extern PyTypeObject* tensor_type;

inline bool is_exact_tensor(PyObject* o) { return Py_TYPE(o) == tensor_type; }
C10_COLD bool is_tensor_subclass_instance(PyObject* o);
inline bool is_tensor(PyObject* o) { return is_exact_tensor(o) || is_tensor_subclass_instance(o); }

/// The tensor in an object for which is_tensor() holds.
inline at::Tensor& unwrap(PyObject* o) { return reinterpret_cast<TensorObject*>(o)->tensor; }

/// A new reference to the tensor's Python object, which is created if there is none; None for an undefined
/// tensor.
PyObject* wrap(at::Tensor t);
/// The same for a tensor without a Python object; `type` is aten.Tensor or a subclass.
PyObject* wrap_as(PyTypeObject* type, at::Tensor t);

/// Makes the garbage collector track the object, which may be part of a cycle through attributes or autograd.
void track(PyObject* self);
/// Whether the class overrides operators: it has a __torch_dispatch__.
bool overrides_dispatch(PyTypeObject* type);

}  // namespace at::python
