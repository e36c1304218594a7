// Derivatives of pooling.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>

namespace torch::inline C10_ABI::autograd::generated::details {

/// For the gradient of a max pooling input gradient: its elements at these indices. Planes have `dim`
/// dimensions.
TORCH_API Tensor max_pool_double_backward(const Tensor& grad, const Tensor& indices, int64_t dim);
TORCH_API Tensor max_pool2d_double_backward(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size,
                                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                            bool ceil_mode);

}  // namespace torch::inline C10_ABI::autograd::generated::details
