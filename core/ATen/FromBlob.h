// Tensors over memory that was allocated elsewhere.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Allocator.h>

namespace at::inline C10_ABI::detail {

/// A tensor over this memory, which is not copied; sizes, strides and offset count elements of `dtype`.
/// Throws for negative ones, for sizes and strides of different lengths, and for null where there are
/// elements.
TORCH_API TensorBase tensor_over(c10::DataPtr&& data, IntArrayRef sizes, IntArrayRef strides,
                                 int64_t storage_offset, ScalarType dtype);
/// The same, row-major.
TORCH_API TensorBase tensor_over(c10::DataPtr&& data, IntArrayRef sizes, ScalarType dtype);

}  // namespace at::inline C10_ABI::detail
