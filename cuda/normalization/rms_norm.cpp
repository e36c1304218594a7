// _fused_rms_norm on CUDA, and its gradients.
#include <ATen/native/normalization/rms_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/rms_norm.h>

#include <ATen/ops/_fused_rms_norm_backward_native.h>
#include <ATen/ops/_fused_rms_norm_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <tuple>

namespace at::native {

namespace {

ScalarType wide_dtype(const Tensor& input) {
  return input.scalar_type() == kDouble ? ScalarType::Double : ScalarType::Float;
}

Tensor wide(const std::optional<Tensor>& t, const Tensor& input) {
  return t && t->defined() ? t->to(wide_dtype(input)).contiguous() : Tensor();
}

}  // namespace

std::tuple<Tensor, Tensor> _fused_rms_norm_cuda(const Tensor& input, IntArrayRef normalized_shape,
                                                const std::optional<Tensor>& weight_opt,
                                                std::optional<double> eps) {
  const Tensor weight = wide(weight_opt, input);
  check_rms_norm(input, normalized_shape, weight);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, {});
  const Tensor x = input.contiguous();
  Tensor y = at::empty_like(x);
  Tensor rstd = at::empty(shape.statistics, input.options().dtype(wide_dtype(input)));
  if (shape.rows > 0) rms_norm_on_device(x, weight, shape.rows, shape.columns, rms_norm_eps(x, eps), y, rstd);
  return {std::move(y), std::move(rstd)};
}

std::tuple<Tensor, Tensor> _fused_rms_norm_backward_cuda(const Tensor& grad_out, const Tensor& input,
                                                         IntArrayRef normalized_shape, const Tensor& rstd,
                                                         const std::optional<Tensor>& weight_opt,
                                                         std::array<bool, 2> output_mask) {
  const Tensor weight = wide(weight_opt, input);
  check_rms_norm(input, normalized_shape, weight);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, {});
  check_layer_norm_gradient(grad_out, input, rstd, rstd, shape);
  const Tensor grad = grad_out.contiguous(), x = input.contiguous();
  Tensor grad_x = output_mask[0] ? at::empty_like(x) : Tensor();
  Tensor grad_weight;
  if (output_mask[1] && weight.defined()) {
    grad_weight = x.numel() > 0 ? at::empty(normalized_shape, weight.options())
                                : at::zeros(normalized_shape, weight.options());
  }
  if (x.numel() > 0) {
    rms_norm_backward_on_device(grad, x, wide(rstd, x), weight, shape.rows, shape.columns, grad_x,
                                grad_weight);
  }
  if (grad_weight.defined()) grad_weight = grad_weight.to(weight_opt->scalar_type());
  return {std::move(grad_x), std::move(grad_weight)};
}

}  // namespace at::native
