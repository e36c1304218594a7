// Derivatives of normalizations.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor layer_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean,
                                const Tensor& rstd, SymIntArrayRef normalized_shape);
/// Tangents of those gradients of input, weight and bias that `output_mask` requests.
TORCH_API std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_jvp(
    const Tensor& grad_out_p, const Tensor& grad_out_t, const Tensor& input_p, const Tensor& input_t,
    const Tensor& weight_p, const Tensor& weight_t, const Tensor& rstd, SymIntArrayRef normalized_shape,
    std::array<bool, 3> output_mask);
/// Gradients of input, weight and grad_out, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> layer_norm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& mean, const Tensor& rstd,
    SymIntArrayRef normalized_shape, std::array<bool, 3> wanted);

TORCH_API Tensor batch_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t,
                                const std::optional<Tensor>& running_mean,
                                const std::optional<Tensor>& running_var, const Tensor& saved_mean,
                                const Tensor& saved_invstd, bool train, double eps);
/// Gradients of input, weight and grad_out, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> batchnorm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& running_mean, const Tensor& running_var,
    bool train, double eps, const Tensor& saved_mean, const Tensor& saved_invstd, std::array<bool, 3> wanted);

/// By the kernel, or by other operators where the result has to be differentiable.
TORCH_API std::tuple<Tensor, Tensor, Tensor> group_norm_backward(const Tensor& grad, const Tensor& grad_mean,
                                                                 const Tensor& grad_rstd, const Tensor& input,
                                                                 const Tensor& mean, const Tensor& rstd,
                                                                 const Tensor& weight, const SymInt& N,
                                                                 const SymInt& C, const SymInt& HxW,
                                                                 int64_t group, std::array<bool, 3> wanted);
TORCH_API Tensor group_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean,
                                const Tensor& rstd, int64_t groups);
TORCH_API Tensor group_norm_mean_jvp(const Tensor& input_t, const Tensor& mean, int64_t groups);
TORCH_API Tensor group_norm_invstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& mean,
                                       const Tensor& rstd, int64_t groups);

TORCH_API std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& grad_rstd,
                                                       const Tensor& input, IntArrayRef normalized_shape,
                                                       const Tensor& rstd, const Tensor& weight,
                                                       std::array<bool, 2> wanted);
TORCH_API Tensor rms_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                              const Tensor& weight_t, const Tensor& rstd, IntArrayRef normalized_shape);
TORCH_API Tensor rms_norm_rstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& rstd,
                                   IntArrayRef normalized_shape);

TORCH_API Tensor renorm_backward(const Tensor& grad, const Tensor& self, const Scalar& p, int64_t dim,
                                 const Scalar& maxnorm);
TORCH_API Tensor renorm_jvp(const Tensor& self_p, const Tensor& self_t, const Scalar& p, int64_t dim,
                            const Scalar& maxnorm);

}  // namespace torch::inline C10_ABI::autograd::generated::details
