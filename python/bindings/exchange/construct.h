// Tensors from Python data (scalars, nested sequences, arrays of other libraries), and tolist().
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace at::python {

/// A new CPU tensor from a scalar or from nested sequences of scalars (lists, tuples, ranges, NumPy arrays;
/// elements may be tensors of one element). Without `dtype` it is inferred_dtype(). ValueError for ragged
/// sequences and ints beyond 64 bits, TypeError for elements that don't convert.
at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype);

/// The type to which the elements' types promote: bool for bools, int64 for ints, the default dtype for
/// floats, its complex dtype for complex numbers, and their own for tensors, NumPy's arrays and its scalars.
c10::ScalarType inferred_dtype(PyObject* data);

/// Tensor.tolist(): nested lists of the elements; a scalar for a 0-dim tensor.
PyObject* to_list(PyObject* self, PyObject*);

int init_construct(PyObject* module);

}  // namespace at::python
