// The dicts of __array_interface__ (NumPy, on the host) and __cuda_array_interface__: memory with its type,
// shape and strides.
#pragma once
#include "prelude.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/util/SmallVector.h>

#include <optional>

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

/// The type of the elements of a NumPy array, or of a NumPy scalar; nothing if no tensor has it.
std::optional<c10::ScalarType> numpy_dtype(PyObject* o);

/// A tensor over the memory of a NumPy array.
at::Tensor tensor_of_array(PyObject* array, const char* who);

/// "f4": the interfaces' name of a type, without byte order; null for types that they don't have.
const char* array_type(c10::ScalarType dtype);

}  // namespace at::python
