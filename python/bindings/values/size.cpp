// Size: a tuple of ints with numel().
#include "values/values.h"

#include "errors.h"
#include "values/scalars.h"

#include <string>

namespace at::python {

PyTypeObject* size_type = nullptr;

namespace {

template <class F>
F tuple_slot(int slot) {
  return reinterpret_cast<F>(PyType_GetSlot(&PyTuple_Type, slot));
}

Ref empty_tuple(PyTypeObject* type, Py_ssize_t n) {
  static const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(size_type, Py_tp_alloc));
  return type == size_type ? own(alloc(type, n)) : own(PyTuple_New(n));
}

// Converts an exact tuple to a Size and steals the reference; returns null and other objects unchanged.
PyObject* as_size(PyObject* tuple) {
  if (tuple == nullptr || !PyTuple_CheckExact(tuple)) return tuple;
  const Ref source = Ref::steal(tuple);
  try {
    const Py_ssize_t n = PyTuple_Size(tuple);
    Ref size = empty_tuple(size_type, n);
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* e = PyTuple_GetItem(tuple, i);
      Py_INCREF(e);
      PyTuple_SetItem(size.get(), i, e);
    }
    return size.release();
  } catch (...) {
    return raise_current(PACKAGE ".Size");
  }
}

PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Ref self = Ref::steal(tuple_slot<newfunc>(Py_tp_new)(type, args, kwargs));
  if (!self) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_Size(self.get()); ++i) {
    PyObject* e = PyTuple_GetItem(self.get(), i);
    if (PyLong_Check(e)) continue;
    PyObject* index = is_integer(e) ? PyNumber_Index(e) : nullptr;
    if (index == nullptr) {
      PyErr_Format(PyExc_TypeError, PACKAGE ".Size(): expected ints, got %s at position %zd",
                   type_name(e).c_str(), i);
      return nullptr;
    }
    // The tuple isn't visible to other code yet, so it can be modified.
    PyTuple_SetItem(self.get(), i, index);
  }
  return self.release();
}

PyObject* repr(PyObject* self) {
  const Ref list = Ref::steal(PySequence_List(self));
  return list ? PyUnicode_FromFormat(PACKAGE ".Size(%R)", list.get()) : nullptr;
}

PyObject* subscript(PyObject* self, PyObject* index) {
  return as_size(tuple_slot<binaryfunc>(Py_mp_subscript)(self, index));
}
PyObject* concat(PyObject* self, PyObject* other) {
  return as_size(tuple_slot<binaryfunc>(Py_sq_concat)(self, other));
}
PyObject* repeat(PyObject* self, Py_ssize_t n) {
  return as_size(tuple_slot<ssizeargfunc>(Py_sq_repeat)(self, n));
}

PyObject* numel(PyObject* self, PyObject*) {
  Ref product = Ref::steal(PyLong_FromLong(1));
  for (Py_ssize_t i = 0; product && i < PyTuple_Size(self); ++i) {
    product = Ref::steal(PyNumber_Multiply(product.get(), PyTuple_GetItem(self, i)));
  }
  return product.release();
}

PyObject* reduce(PyObject* self, PyObject*) {
  const Ref list = Ref::steal(PySequence_List(self));
  return list ? Py_BuildValue("(O(O))", reinterpret_cast<PyObject*>(size_type), list.get()) : nullptr;
}

PyMethodDef methods[] = {{"numel", numel, METH_NOARGS, "Number of elements of a tensor of this shape."},
                         {"__reduce__", reduce, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(construct)},
                       {Py_tp_repr, reinterpret_cast<void*>(repr)},
                       {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                       {Py_sq_concat, reinterpret_cast<void*>(concat)},
                       {Py_sq_repeat, reinterpret_cast<void*>(repeat)},
                       {Py_tp_methods, methods},
                       {Py_tp_doc, const_cast<char*>("A shape: a tuple of ints.")},
                       {0, nullptr}};

}  // namespace

PyObject* from_ints(c10::IntArrayRef values) {
  Ref tuple = own(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (size_t i = 0; i < values.size(); ++i) {
    PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), own(PyLong_FromLongLong(values[i])).release());
  }
  return tuple.release();
}

PyObject* from_size(c10::IntArrayRef sizes) {
  Ref tuple = empty_tuple(size_type, static_cast<Py_ssize_t>(sizes.size()));
  for (size_t i = 0; i < sizes.size(); ++i) {
    PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), own(PyLong_FromLongLong(sizes[i])).release());
  }
  return tuple.release();
}

int init_size(PyObject* module) {
  PyType_Spec spec{PACKAGE ".Size", 0, 0, Py_TPFLAGS_DEFAULT, slots};
  const Ref bases = Ref::steal(PyTuple_Pack(1, &PyTuple_Type));
  if (!bases) return -1;
  PyObject* type = PyType_FromSpecWithBases(&spec, bases.get());
  if (type == nullptr) return -1;
  size_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  return PyModule_AddObject(module, "Size", type);
}

}  // namespace at::python
