// rms_norm, composed of other operators: rows divided by the root of their mean square.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/normalized_shape.h>
#include <ATen/native/normalization/rms_norm.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_fused_rms_norm.h>
#include <ATen/ops/_fused_rms_norm_backward_native.h>
#include <ATen/ops/_fused_rms_norm_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rms_norm_native.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sub.h>

#include <array>
#include <tuple>

namespace at::native {

Tensor rms_norm_symint(const Tensor& input, c10::SymIntArrayRef normalized_shape,
                       const std::optional<Tensor>& weight, std::optional<double> eps) {
  return std::get<0>(at::_fused_rms_norm(input, C10_AS_INTARRAYREF_SLOW(normalized_shape), weight, eps));
}

std::tuple<Tensor, Tensor> rms_norm_composite(const Tensor& input, IntArrayRef normalized_shape,
                                              const std::optional<Tensor>& weight_opt,
                                              std::optional<double> eps) {
  const Tensor weight = weight_opt.value_or(Tensor());
  check_rms_norm(input, normalized_shape, weight);
  const Tensor x = widened(input);
  const Tensor mean_square = at::mean(at::mul(x, x), normalized_dims(x, normalized_shape), /*keepdim=*/true);
  const Tensor rstd = at::rsqrt(at::add(mean_square, rms_norm_eps(input, eps)));
  Tensor y = at::mul(x, rstd);
  if (weight.defined()) y = at::mul(y, weight);
  return {y.to(input.scalar_type()), rstd};
}

std::tuple<Tensor, Tensor> math_rms_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                  IntArrayRef normalized_shape, const Tensor& rstd,
                                                  const std::optional<Tensor>& weight_opt,
                                                  std::array<bool, 2> output_mask) {
  const Tensor weight = weight_opt.value_or(Tensor());
  check_rms_norm(input, normalized_shape, weight);
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, {});
  check_layer_norm_gradient(grad_out, input, rstd, rstd, shape);
  const Tensor grad = widened(grad_out), scale = widened(rstd).reshape(shape.statistics);
  const Tensor normalized = at::mul(widened(input), scale);
  std::tuple<Tensor, Tensor> result;
  if (output_mask[0]) {
    const Tensor p = weight.defined() ? at::mul(grad, widened(weight)) : grad;
    const Tensor along =
        at::mean(at::mul(p, normalized), normalized_dims(input, normalized_shape), /*keepdim=*/true);
    std::get<0>(result) = at::mul(at::sub(p, at::mul(normalized, along)), scale).to(input.scalar_type());
  }
  if (output_mask[1] && weight.defined()) {
    std::get<1>(result) = sum_to(at::mul(grad, normalized), normalized_shape).to(weight.scalar_type());
  }
  return result;
}

}  // namespace at::native
