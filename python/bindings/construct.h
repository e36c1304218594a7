// Tensors from Python data: numbers, nested sequences, arrays of other libraries; and back to lists.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace at::python {

/// A new CPU tensor of a number or of nested sequences of numbers (lists, tuples, ranges, 0-dim tensors in
/// them). Without `dtype`: bool if all are bools, int64 if ints, the default type if floats, its complex if
/// one is complex. ValueError for ragged sequences, TypeError for other elements, OverflowError for ints
/// beyond 64 bits.
at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype);

/// The 0-dim tensor that stands for a number among tensors: it weighs less in type promotion. No operator is
/// called for it, so modes don't see it being made.
at::Tensor wrapped_number(const c10::Scalar& s);

/// Nested lists of the elements; a number for a 0-dim tensor.
PyObject* to_list(PyObject* self, PyObject*);

int init_construct(PyObject* module);

}  // namespace at::python
