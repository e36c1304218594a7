// Python's operators by way of generated methods and functions.
#include "protocols.h"

#include "tensor.h"

namespace at::python {
namespace {

// A TypeError says that the operands don't fit; whether another operator takes them is for Python to find out.
PyObject* without_type_error(PyObject* result) {
  if (result != nullptr || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  PyErr_Clear();
  return no_operator();
}

}  // namespace

PyObject* no_operator() {
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

PyObject* binary_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function) {
  if (is_tensor(a)) return without_type_error(method(a, &b, 1, nullptr));
  if (function == nullptr) return no_operator();
  PyObject* const args[] = {a, b};
  return without_type_error(function(nullptr, args, 2, nullptr));
}

PyObject* inplace_operator(PyObject* a, PyObject* b, FastFunction method) {
  return without_type_error(method(a, &b, 1, nullptr));
}

}  // namespace at::python
