// Products of matrices of integers, which cuBLAS doesn't have.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>

namespace at::native {

/// result = alpha * left @ right + beta * result, of two matrices or two batches of them, with any strides;
/// with beta 0, result isn't read. What overflows wraps.
void integer_product(const TensorBase& result, const TensorBase& left, const TensorBase& right,
                     const Scalar& beta, const Scalar& alpha);

}  // namespace at::native
