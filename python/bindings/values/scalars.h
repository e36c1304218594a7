// Conversions between Python scalars (NumPy's included) and C++ scalars.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

namespace at::python {

/// NumPy's classes: of scalars, all of these, and arrays. They are checked only if NumPy is already imported.
enum class NumpyKind { Bool, Integer, Floating, Complex, Generic, Array };
C10_COLD bool is_numpy(PyObject* o, NumpyKind kind);

/// float, int, bool, complex, and NumPy's scalars.
bool is_scalar(PyObject* o);
/// int but not bool, NumPy's integers, 0-dim integer tensors, and other objects with __index__.
bool is_integer(PyObject* o);
/// The same, and integer tensors of one element: what a size or another int in a list may be.
bool is_listed_integer(PyObject* o);
/// float, int, bool, NumPy's real scalars.
bool is_real(PyObject* o);
bool is_bool(PyObject* o);

// Conversions throw PythonError: if a value doesn't fit in 64 bits, ValueError for an int64 and OverflowError
// for a Scalar; else TypeError. They also accept tensors of one element.
int64_t to_int64(PyObject* o);
double to_double(PyObject* o);
bool to_bool(PyObject* o);
c10::complex<double> to_complex(PyObject* o);
c10::Scalar to_scalar(PyObject* o);

PyObject* from_scalar(const c10::Scalar& s);

/// A 0-dim tensor for a scalar ("wrapped number"), which has lower priority in type promotion. It is created
/// without calling an operator, so modes don't see its creation.
at::Tensor wrapped_number(const c10::Scalar& s);

}  // namespace at::python
