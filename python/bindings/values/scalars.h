// Between Python's numbers (NumPy's scalars among them) and C++'s.
#pragma once
#include "prelude.h"

#include <c10/core/Scalar.h>

namespace at::python {

/// NumPy's scalar classes, if NumPy is loaded; it is never imported for their sake.
enum class NumpyKind { Bool, Integer, Floating, Complex };
C10_COLD bool is_numpy_scalar(PyObject* o, NumpyKind kind);

/// float, int (bool among them), complex, and NumPy's scalars.
bool is_number(PyObject* o);
/// int, but not bool; NumPy's integers and others with __index__.
bool is_integer(PyObject* o);
/// float, int, bool, NumPy's real scalars.
bool is_real(PyObject* o);
bool is_bool(PyObject* o);

// Conversions throw PythonError (OverflowError where a value does not fit in 64 bits, TypeError). 0-dim
// tensors convert, too.
int64_t to_int64(PyObject* o);
double to_double(PyObject* o);
bool to_bool(PyObject* o);
c10::complex<double> to_complex(PyObject* o);
c10::Scalar to_scalar(PyObject* o);

PyObject* from_scalar(const c10::Scalar& s);

}  // namespace at::python
