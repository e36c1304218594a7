// The size of arange.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <cstdint>

namespace at::native {

/// Resizes `result` to arange(start, end, step), with a warning if it had elements; returns the size. Throws
/// unless step leads from start towards end and the size can be counted.
TORCH_API int64_t resize_to_arange(const Scalar& start, const Scalar& end, const Scalar& step,
                                   Tensor& result);

}  // namespace at::native
