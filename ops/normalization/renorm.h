// What renorm and its derivative share.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace at::native {

/// Is added to a norm before the division.
constexpr double renorm_epsilon = 1e-7;

/// All dimensions but one.
TORCH_API DimVector dims_besides(int64_t dim, int64_t ndim);
/// What slices of this norm are multiplied by.
TORCH_API Tensor renorm_factor(const Tensor& norm, const Scalar& maxnorm);

}  // namespace at::native
