// Second derivatives of activations, of (gradient of the gradient) * grad_output, and tangents of softmax.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>
#include <string_view>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor gelu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self,
                                      std::string_view approximate);
TORCH_API Tensor silu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self);
TORCH_API Tensor softplus_double_backward(const Tensor& grad, const Tensor& self, const Scalar& beta,
                                          const Scalar& threshold);
TORCH_API Tensor log_sigmoid_double_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor mish_double_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor elu_double_backward(const Tensor& grad, const Tensor& grad_output, const Scalar& alpha,
                                     const Scalar& scale, const Scalar& input_scale, bool is_result,
                                     const Tensor& self_or_result);
/// The gradients of glu_backward with respect to both tensors.
TORCH_API Tensor glu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self,
                                     int64_t dim);
TORCH_API Tensor glu_double_backward_grad_output(const Tensor& grad, const Tensor& self, int64_t dim);

TORCH_API Tensor softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim);
TORCH_API Tensor log_softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim);
TORCH_API Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                         int64_t dim);
TORCH_API Tensor softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                      const Tensor& output_p, const Tensor& output_t, int64_t dim,
                                      ScalarType input_dtype);
TORCH_API Tensor log_softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                          const Tensor& output_p, const Tensor& output_t, int64_t dim,
                                          ScalarType input_dtype);

}  // namespace torch::inline C10_ABI::autograd::generated::details
