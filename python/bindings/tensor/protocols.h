// Python's operators by way of generated methods and functions.
#pragma once
#include "prelude.h"

namespace at::python {

/// NotImplemented: Python goes on to the other operand, or raises its TypeError.
PyObject* no_operator();
/// `a.method(b)` where a is a tensor, otherwise `function(a, b)` (null: none). NotImplemented where the types
/// don't fit.
PyObject* binary_operator(PyObject* a, PyObject* b, FastFunction method, FastFunction function);
PyObject* inplace_operator(PyObject* a, PyObject* b, FastFunction method);
/// `~a`, which Python's numbers have as integers only. A TypeError otherwise.
PyObject* invert_operator(PyObject* a, FastFunction method);

}  // namespace at::python
