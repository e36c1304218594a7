// A product of matrices to whose rows a vector is added, in one call.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/cuda/CUDABlas.h>
#include <c10/core/Scalar.h>

namespace at::native {

/// result = activation(beta * self + alpha * left @ right). False, and nothing is done, unless `self` is a
/// vector that is added to each row, and cuBLASLt takes the operands.
bool multiply_with_bias(const TensorBase& result, const TensorBase& self, const TensorBase& left,
                        const TensorBase& right, const Scalar& beta, const Scalar& alpha,
                        at::cuda::blas::Activation activation);

}  // namespace at::native
