// The size of arange.
#pragma once

#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

/// Size of arange(start, end, step) whose result has this dtype. Throws unless step leads from start towards
/// end and the size can be counted.
TORCH_API int64_t arange_size(const c10::Scalar& start, const c10::Scalar& end, const c10::Scalar& step,
                              c10::ScalarType dtype);

}  // namespace at::native
