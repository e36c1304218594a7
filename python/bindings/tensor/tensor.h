// The Python object of a tensor: at most one per TensorImpl at a time, found through the impl's PyObjectSlot.
//
// As a rule the Python object owns the tensor. When its last Python reference goes while C++ still holds the
// tensor, and the object has state of its own (attributes, weak references, a subclass), ownership turns
// round: the impl then owns the Python object, until Python gets hold of it again.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

namespace at::python {

struct TensorObject {
  PyObject_HEAD PyObject* attributes;  // __dict__, made on first use
  PyObject* weak_references;
  at::Tensor tensor;  // when !owns_tensor: the impl owns this object, and this handle holds no reference
  bool owns_tensor;
  bool tracked;  // a plain tensor that track() was called for
};

/// aten.Tensor; set when the module is initialised.
extern PyTypeObject* tensor_type;

inline bool is_exact_tensor(PyObject* o) { return Py_TYPE(o) == tensor_type; }
C10_COLD bool is_tensor_subclass_instance(PyObject* o);
inline bool is_tensor(PyObject* o) { return is_exact_tensor(o) || is_tensor_subclass_instance(o); }

/// The tensor in an object for which is_tensor() holds.
inline at::Tensor& unwrap(PyObject* o) { return reinterpret_cast<TensorObject*>(o)->tensor; }

/// A new reference to the tensor's Python object, which is made if there is none; None for an undefined
/// tensor.
PyObject* wrap(at::Tensor t);
/// The same for a tensor without Python object yet: of `type`, aten.Tensor or a subclass.
PyObject* wrap_as(PyTypeObject* type, at::Tensor t);

/// Makes the type with the methods given (generated and hand-written); adds it to the module.
int init_tensor(PyObject* module, const PyMethodDef* generated_methods, const PyType_Slot* slots);

// Method and attribute tables of the hand-written files, each ended by a null name.
extern PyMethodDef tensor_methods[];
extern PyMethodDef tensor_exchange_methods[];
extern PyMethodDef autograd_methods[];
extern PyGetSetDef tensor_properties[];
extern PyGetSetDef autograd_properties[];
extern PyType_Slot tensor_slots[];

/// An attribute of a subclass that overrides functions: what __torch_function__ gives for
/// Tensor.<name>.__get__; null for others.
PyObject* overridden_attribute(PyObject* self, const char* name);
/// Shows the object to the garbage collector: it may be part of a cycle, by its attributes or by autograd.
void track(PyObject* self);
/// Whether instances of the class take operators over: it has a __torch_dispatch__.
bool overrides_dispatch(PyTypeObject* type);

// x[index] and x[index] = value.
PyObject* get_item(PyObject* self, PyObject* index);
int set_item(PyObject* self, PyObject* index, PyObject* value);

}  // namespace at::python
