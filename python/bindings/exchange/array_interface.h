// The dicts of __array_interface__ (NumPy, on the host) and __cuda_array_interface__: memory with its type,
// shape and strides.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/util/SmallVector.h>

namespace at::python {

struct ArrayInterface {
  void* data;
  bool read_only;
  c10::ScalarType dtype;
  c10::SmallVector<int64_t, 6> sizes, strides;  // in elements
};

/// Errors begin with `who`: "from_numpy()".
ArrayInterface read_array_interface(PyObject* dict, const char* who);

/// A tensor over the memory, which keeps `array` as its owner.
at::Tensor tensor_over(PyObject* array, const ArrayInterface& a, c10::Device device);

/// "f4": the interfaces' name of a type, without byte order; null for types that they don't have.
const char* array_type(c10::ScalarType dtype);

}  // namespace at::python
