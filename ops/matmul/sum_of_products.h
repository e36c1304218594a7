// Sums of elementwise products by batched matrix products: the basis of einsum and _trilinear.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

/// sum(left * right) over `dims`, which stay with size 1. Both have the same number of dimensions, and sizes
/// that broadcast.
Tensor sum_of_products(const Tensor& left, const Tensor& right, IntArrayRef dims);

}  // namespace at::native
