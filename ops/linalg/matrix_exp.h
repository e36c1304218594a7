// The derivative of the matrix exponential, by the exponential of a larger matrix.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

/// The derivative of exp at `self` in the direction `grad`; with `adjoint` its adjoint, which takes gradients
/// of the result to those of self.
TORCH_API Tensor matrix_exp_differential(const Tensor& self, const Tensor& grad, bool adjoint);

}  // namespace at::native
