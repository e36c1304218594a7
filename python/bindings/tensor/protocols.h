// Python's operators (number protocol), implemented by generated methods and functions.
#pragma once
#include "prelude.h"

namespace at::python {

/// Returns NotImplemented: Python then tries the other operand, or raises TypeError.
PyObject* no_operator();
/// `a.method(b)` if a is a tensor, otherwise `function(a, b)`, which may be null. NotImplemented if the types
/// aren't supported.
PyObject* binary_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function);
PyObject* inplace_operator(PyObject* a, PyObject* b, FastFunction method);
/// `a / b`. PyTorch's `array / tensor` is a tensor, unlike that of other operators.
PyObject* divide_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function);
/// `a == b` or `a != b`. An array of NumPy as b is compared as a tensor over its memory, if tensors have its
/// type.
PyObject* equality_operator(PyObject* a, PyObject* b, FastFunction method);
/// `~a` for integer and bool tensors; TypeError otherwise.
PyObject* invert_operator(PyObject* a, FastFunction method);

}  // namespace at::python
