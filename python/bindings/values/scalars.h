// Conversions between Python scalars (NumPy's included) and C++ scalars.
#pragma once
#include "prelude.h"

#include <c10/core/Scalar.h>

namespace at::python {

/// NumPy's scalar classes. They are checked only if NumPy is already imported.
enum class NumpyKind { Bool, Integer, Floating, Complex };
C10_COLD bool is_numpy_scalar(PyObject* o, NumpyKind kind);

/// float, int, bool, complex, and NumPy's scalars.
bool is_scalar(PyObject* o);
/// int but not bool, NumPy's integers, 0-dim integer tensors, and other objects with __index__.
bool is_integer(PyObject* o);
/// float, int, bool, NumPy's real scalars.
bool is_real(PyObject* o);
bool is_bool(PyObject* o);

// Conversions throw PythonError: OverflowError if a value doesn't fit in 64 bits, else TypeError. They also
// accept 0-dim tensors.
int64_t to_int64(PyObject* o);
double to_double(PyObject* o);
bool to_bool(PyObject* o);
c10::complex<double> to_complex(PyObject* o);
c10::Scalar to_scalar(PyObject* o);

PyObject* from_scalar(const c10::Scalar& s);

}  // namespace at::python
