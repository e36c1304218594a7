// Tensor's slots of the number, sequence and mapping protocols.
#include "errors.h"
#include "parser/overrides.h"
#include "tensor/tensor.h"
#include "values/scalars.h"

#include <ATen/ops/is_nonzero_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/select_ops.h>

namespace at::python {
namespace {

// Calls __torch_function__ for a special method of a class that overrides functions.
PyObject* overridden_method(PyObject* self, const char* name, PyObject* argument = nullptr) {
  if (is_exact_tensor(self) && !overrides_active()) return nullptr;
  Overridden overridden;
  if (!overridden.add_if_overrides(self)) return nullptr;
  const Ref method = own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name));
  const Ref args = own(argument ? PyTuple_Pack(2, self, argument) : PyTuple_Pack(1, self));
  return call_override(method.get(), args.get(), nullptr, overridden);
}

Py_ssize_t length(PyObject* self) {
  try {
    const at::Tensor& t = unwrap(self);
    if (t.dim() == 0) throw_error(PyExc_TypeError, "len() of a 0-d tensor");
    return static_cast<Py_ssize_t>(t.size(0));
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.__len__");
  }
}

int truth(PyObject* self) {
  try {
    if (PyObject* other = overridden_method(self, "__bool__")) {
      return PyObject_IsTrue(Ref::steal(other).get());
    }
    return at::_ops::is_nonzero::call(unwrap(self)) ? 1 : 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.__bool__");
  }
}

c10::Scalar only_element(PyObject* self) {
  const at::Tensor& t = unwrap(self);
  TORCH_CHECK_VALUE(t.numel() == 1, "only tensors of one element are Python numbers, this one has ",
                    t.numel());
  return at::_ops::item::call(t);
}

PyObject* to_int(PyObject* self) {
  try {
    if (PyObject* other = overridden_method(self, "__int__")) return other;
    const c10::Scalar s = only_element(self);
    return s.isFloatingPoint() ? PyLong_FromDouble(s.to<double>()) : PyLong_FromLongLong(s.to<int64_t>());
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__int__");
  }
}

PyObject* to_float(PyObject* self) {
  try {
    if (PyObject* other = overridden_method(self, "__float__")) return other;
    return PyFloat_FromDouble(only_element(self).to<double>());
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__float__");
  }
}

PyObject* to_index(PyObject* self) {
  try {
    if (PyObject* other = overridden_method(self, "__index__")) return other;
    const at::Tensor& t = unwrap(self);
    if (!c10::isIntegralType(t.scalar_type(), /*includeBool=*/true) || t.numel() != 1) {
      throw_error(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
    }
    return PyLong_FromLongLong(at::_ops::item::call(t).to<int64_t>());
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__index__");
  }
}

PyObject* positive(PyObject* self) {
  Py_INCREF(self);
  return self;
}

// Iterates over views along the first dimension.
PyObject* iterate(PyObject* self) {
  try {
    if (PyObject* other = overridden_method(self, "__iter__")) return other;
    const at::Tensor& t = unwrap(self);
    if (t.dim() == 0) throw_error(PyExc_TypeError, "iteration over a 0-d tensor");
    const Ref slices = own(PyTuple_New(static_cast<Py_ssize_t>(t.size(0))));
    for (int64_t i = 0; i < t.size(0); ++i) {
      PyTuple_SetItem(slices.get(), static_cast<Py_ssize_t>(i),
                      own(wrap(at::_ops::select_int::call(t, 0, i))).release());
    }
    return PyObject_GetIter(slices.get());
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__iter__");
  }
}

int contains(PyObject* self, PyObject* element) {
  try {
    if (!is_scalar(element) && !is_tensor(element)) {
      throw_error(PyExc_RuntimeError,
                  PACKAGE ".Tensor.__contains__(): only tensors and numbers are elements, not %s",
                  type_name(element).c_str());
    }
    const Ref equal = own(PyObject_RichCompare(self, element, Py_EQ));
    const Ref any = own(PyObject_CallMethod(equal.get(), "any", nullptr));
    return PyObject_IsTrue(any.get());
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.__contains__");
  }
}

PyObject* print(PyObject* self, const char* function) {
  try {
    const Ref f = import_from("_tensor_str", function);
    return PyObject_CallFunctionObjArgs(f.get(), self, nullptr);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__repr__");
  }
}

PyObject* repr(PyObject* self) { return print(self, "_repr"); }

}  // namespace

PyType_Slot tensor_slots[] = {
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_iter, reinterpret_cast<void*>(iterate)},
    {Py_sq_contains, reinterpret_cast<void*>(contains)},
    {Py_mp_length, reinterpret_cast<void*>(length)},
    {Py_mp_subscript, reinterpret_cast<void*>(get_item)},
    {Py_mp_ass_subscript, reinterpret_cast<void*>(set_item)},
    {Py_nb_bool, reinterpret_cast<void*>(truth)},
    {Py_nb_int, reinterpret_cast<void*>(to_int)},
    {Py_nb_float, reinterpret_cast<void*>(to_float)},
    {Py_nb_index, reinterpret_cast<void*>(to_index)},
    {Py_nb_positive, reinterpret_cast<void*>(positive)},
    {0, nullptr},
};

}  // namespace at::python
