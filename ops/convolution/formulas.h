// Derivatives of convolutions.
#pragma once

#include <ATen/native/formulas.h>

namespace torch::inline C10_ABI::autograd::generated::details {

/// Bias and its tangent may be undefined.
TORCH_API Tensor convolution_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                 const Tensor& weight_t, const Tensor& bias_p, const Tensor& bias_t,
                                 SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation,
                                 bool transposed, SymIntArrayRef output_padding, const SymInt& groups);
/// Undefined where the gradient of the bias was not requested.
TORCH_API Tensor convolution_backward_jvp_grad_bias(const Tensor& grad_output_t, const Tensor& grad_bias);

}  // namespace torch::inline C10_ABI::autograd::generated::details
