// Tensors from Python data (scalars, nested sequences, arrays of other libraries), and tolist().
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace at::python {

/// A new CPU tensor from a scalar or from nested sequences of scalars (lists, tuples, ranges; elements may be
/// 0-dim tensors). Without `dtype` it is bool if all elements are bools, int64 for ints, the default dtype
/// for floats, and the complex dtype of that if an element is complex. ValueError for ragged sequences,
/// TypeError for other elements, OverflowError for ints beyond 64 bits.
at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype);

/// A 0-dim tensor for a scalar ("wrapped number"), which has lower priority in type promotion. It is created
/// without calling an operator, so modes don't see its creation.
at::Tensor wrapped_number(const c10::Scalar& s);

/// Tensor.tolist(): nested lists of the elements; a scalar for a 0-dim tensor.
PyObject* to_list(PyObject* self, PyObject*);

int init_construct(PyObject* module);

}  // namespace at::python
