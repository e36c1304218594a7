// native_layer_norm on the CPU, and its gradients.
#include <ATen/native/cpu/normalization/layer_norm.h>
#include <ATen/native/normalization/layer_norm.h>
#include <ATen/native/normalization/parameters.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/native_layer_norm_backward_native.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <limits>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(layer_norm_kernel);
DEFINE_DISPATCH(layer_norm_backward_kernel);

namespace {

Tensor contiguous_or_undefined(const std::optional<Tensor>& t) {
  return t && t->defined() ? t->contiguous() : Tensor();
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> layer_norm_cpu(const Tensor& input, IntArrayRef normalized_shape,
                                                  const std::optional<Tensor>& weight_opt,
                                                  const std::optional<Tensor>& bias_opt, double eps) {
  const Tensor weight = contiguous_or_undefined(weight_opt), bias = contiguous_or_undefined(bias_opt);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, bias);
  const TensorOptions statistics_options =
      input.options().dtype(norm_parameter_dtype(input, {&weight, &bias}));

  const Tensor x = input.contiguous();
  Tensor y = at::empty_like(x);
  Tensor mean = at::empty(shape.statistics, statistics_options);
  Tensor rstd = at::empty(shape.statistics, statistics_options);
  if (shape.rows > 0 && shape.columns > 0) {
    layer_norm_kernel(kCPU, x, weight, bias, shape.rows, shape.columns, eps, y, mean, rstd);
  } else if (shape.rows > 0) {
    mean.fill_(std::numeric_limits<double>::quiet_NaN());
    rstd.fill_(std::numeric_limits<double>::quiet_NaN());
  }
  return {std::move(y), std::move(mean), std::move(rstd)};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_cpu(const Tensor& grad_out, const Tensor& input,
                                                           IntArrayRef normalized_shape, const Tensor& mean,
                                                           const Tensor& rstd,
                                                           const std::optional<Tensor>& weight_opt,
                                                           const std::optional<Tensor>& bias_opt,
                                                           std::array<bool, 3> output_mask) {
  const Tensor weight = contiguous_or_undefined(weight_opt), bias = contiguous_or_undefined(bias_opt);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, bias);
  check_layer_norm_gradient(grad_out, input, mean, rstd, shape);
  const Tensor grad = grad_out.contiguous(), x = input.contiguous();
  const auto gradient_of = [](bool wanted, const Tensor& t) {
    return wanted && t.defined() ? at::zeros_like(t, MemoryFormat::Contiguous) : Tensor();
  };
  Tensor grad_x = output_mask[0] ? at::empty_like(x) : Tensor();
  Tensor grad_weight = gradient_of(output_mask[1], weight), grad_bias = gradient_of(output_mask[2], bias);
  if (input.numel() > 0) {
    const ScalarType dtype = norm_parameter_dtype(input, {&weight, &bias});
    layer_norm_backward_kernel(kCPU, grad, x, mean.to(dtype).contiguous(), rstd.to(dtype).contiguous(),
                               weight, shape.rows, shape.columns, grad_x, grad_weight, grad_bias);
  }
  return {std::move(grad_x), std::move(grad_weight), std::move(grad_bias)};
}

}  // namespace at::native
