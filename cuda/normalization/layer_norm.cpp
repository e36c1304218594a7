// native_layer_norm on CUDA, and its gradients.
#include <ATen/native/normalization/layer_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/layer_norm.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/native_layer_norm_backward_native.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <limits>
#include <tuple>

namespace at::native {

namespace {

// Statistics are Float for 16-bit inputs, as are weight and bias.
Tensor parameter(const std::optional<Tensor>& t, ScalarType dtype) {
  return t && t->defined() ? t->to(dtype).contiguous() : Tensor();
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> layer_norm_cuda(const Tensor& input, IntArrayRef normalized_shape,
                                                   const std::optional<Tensor>& weight_opt,
                                                   const std::optional<Tensor>& bias_opt, double eps) {
  const ScalarType dtype = isReducedFloatingType(input.scalar_type()) ? kFloat : input.scalar_type();
  const Tensor weight = parameter(weight_opt, dtype), bias = parameter(bias_opt, dtype);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, bias);
  const Tensor x = input.contiguous();
  Tensor y = at::empty_like(x);
  Tensor mean = at::empty(shape.statistics, input.options().dtype(dtype));
  Tensor rstd = at::empty(shape.statistics, input.options().dtype(dtype));
  if (shape.rows > 0 && shape.columns > 0) {
    layer_norm_on_device(x, weight, bias, shape.rows, shape.columns, eps, y, mean, rstd);
  } else if (shape.rows > 0) {
    mean.fill_(std::numeric_limits<double>::quiet_NaN());
    rstd.fill_(std::numeric_limits<double>::quiet_NaN());
  }
  return {std::move(y), std::move(mean), std::move(rstd)};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_cuda(const Tensor& grad_out, const Tensor& input,
                                                            IntArrayRef normalized_shape, const Tensor& mean,
                                                            const Tensor& rstd,
                                                            const std::optional<Tensor>& weight_opt,
                                                            const std::optional<Tensor>& bias_opt,
                                                            std::array<bool, 3> output_mask) {
  const ScalarType dtype = isReducedFloatingType(input.scalar_type()) ? kFloat : input.scalar_type();
  const Tensor weight = parameter(weight_opt, dtype), bias = parameter(bias_opt, dtype);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, bias);
  check_layer_norm_gradient(grad_out, input, mean, rstd, shape);
  const Tensor grad = grad_out.contiguous(), x = input.contiguous();
  const auto gradient_of = [&](bool wanted, const Tensor& t) {
    if (!wanted || !t.defined()) return Tensor();
    return input.numel() > 0 ? at::empty(normalized_shape, t.options())
                             : at::zeros(normalized_shape, t.options());
  };
  Tensor grad_x = output_mask[0] ? at::empty_like(x) : Tensor();
  Tensor grad_weight = gradient_of(output_mask[1], weight), grad_bias = gradient_of(output_mask[2], bias);
  if (input.numel() > 0) {
    layer_norm_backward_on_device(grad, x, mean.to(dtype).contiguous(), rstd.to(dtype).contiguous(), weight,
                                  shape.rows, shape.columns, grad_x, grad_weight, grad_bias);
  }
  if (grad_weight.defined()) grad_weight = grad_weight.to(weight_opt->scalar_type());
  if (grad_bias.defined()) grad_bias = grad_bias.to(bias_opt->scalar_type());
  return {std::move(grad_x), std::move(grad_weight), std::move(grad_bias)};
}

}  // namespace at::native
