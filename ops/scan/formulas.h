// Derivatives of running sums and products.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor cumprod_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& result, int64_t dim);
TORCH_API Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                       int64_t dim);
TORCH_API Tensor logcumsumexp_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim);

}  // namespace torch::inline C10_ABI::autograd::generated::details
