// Python's operators (number protocol), implemented by generated methods and functions.
#include "tensor/protocols.h"

#include "errors.h"
#include "exchange/array_interface.h"
#include "parser/overrides.h"
#include "tensor/tensor.h"
#include "values/scalars.h"

namespace at::python {
namespace {

// Whether the tensor's operator accepts the operand; if not, Python tries the other operand's operator.
bool is_operand(PyObject* o) {
  if (is_tensor(o) || is_scalar(o)) return true;
  Overridden overridden;
  return overridden.add_if_overrides(o);
}

}  // namespace

PyObject* no_operator() {
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

PyObject* binary_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function) {
  if (is_tensor(a)) return is_operand(b) ? method(a, &b, 1, nullptr) : no_operator();
  if (function == nullptr || !is_operand(a)) return no_operator();
  PyObject* const args[] = {a, b};
  return function(nullptr, args, 2, nullptr);
}

PyObject* divide_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function) {
  PyObject* out = binary_operator(a, b, method, function);
  if (out != Py_NotImplemented || !is_numpy(a, NumpyKind::Array)) return out;
  const Ref reciprocal = Ref::steal(PyObject_CallMethod(b, "reciprocal", nullptr));
  PyObject* product = reciprocal ? PyNumber_Multiply(reciprocal.get(), a) : nullptr;
  if (product == nullptr && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    return out;
  }
  Py_DECREF(out);
  return product;
}

PyObject* equality_operator(PyObject* a, PyObject* b, FastFunction method) {
  if (is_operand(b)) return method(a, &b, 1, nullptr);
  try {
    if (!is_numpy(b, NumpyKind::Array) || !numpy_dtype(b)) return no_operator();
    const Ref other = own(wrap(tensor_of_array(b, "Tensor.__eq__()")));
    PyObject* const argument = other.get();
    return method(a, &argument, 1, nullptr);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__eq__");
  }
}

PyObject* inplace_operator(PyObject* a, PyObject* b, FastFunction method) {
  return is_operand(b) ? method(a, &b, 1, nullptr) : no_operator();
}

PyObject* invert_operator(PyObject* a, FastFunction method) {
  // A subclass may override it.
  if (is_exact_tensor(a) && !c10::isIntegralType(unwrap(a).scalar_type(), /*includeBool=*/true)) {
    return PyErr_Format(PyExc_TypeError,
                        PACKAGE ".Tensor: ~ is for tensors of integers and bools, got one of %s",
                        dtypeName(unwrap(a).scalar_type()));
  }
  return method(a, nullptr, 0, nullptr);
}

}  // namespace at::python
