// layer_norm, and native_layer_norm and its gradients composed of other operators, for devices without a
// kernel of their own.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/layer_norm.h>
#include <ATen/native/normalization/normalized_shape.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/add.h>
#include <ATen/ops/layer_norm_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_backward_native.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sub.h>

#include <array>
#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor, Tensor> math_native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                          const std::optional<Tensor>& weight_opt,
                                                          const std::optional<Tensor>& bias_opt, double eps) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  check_layer_norm_shape(input, normalized_shape, weight, bias);
  const Tensor x = widened(input);
  const DimVector dims = normalized_dims(input, normalized_shape);
  const Tensor mean = at::mean(x, dims, /*keepdim=*/true);
  const Tensor centred = at::sub(x, mean);
  const Tensor rstd = at::rsqrt(at::add(at::mean(at::mul(centred, centred), dims, /*keepdim=*/true), eps));
  Tensor y = at::mul(centred, rstd);
  if (weight.defined()) {
    y = at::mul(y, weight);
  }
  if (bias.defined()) {
    y = at::add(y, bias);
  }
  const ScalarType statistics = weight.defined() ? weight.scalar_type() : input.scalar_type();
  return {y.to(input.scalar_type()), mean.to(statistics), rstd.to(statistics)};
}

std::tuple<Tensor, Tensor, Tensor> math_native_layer_norm_backward(
    const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean,
    const Tensor& rstd, const std::optional<Tensor>& weight_opt, const std::optional<Tensor>& bias_opt,
    std::array<bool, 3> output_mask) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  const LayerNormShape shape = check_layer_norm_shape(input, normalized_shape, weight, bias);
  check_layer_norm_gradient(grad_out, input, mean, rstd, shape);
  const Tensor grad = widened(grad_out), x = widened(input);
  const DimVector dims = normalized_dims(input, normalized_shape);
  const Tensor scale = widened(rstd).reshape(shape.statistics);
  const Tensor normalized = at::mul(at::sub(x, widened(mean).reshape(shape.statistics)), scale);

  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) {
    const Tensor p = weight.defined() ? at::mul(grad, widened(weight)) : grad;
    const Tensor along = at::mul(normalized, at::mean(at::mul(p, normalized), dims, /*keepdim=*/true));
    const Tensor centred = at::sub(at::sub(p, at::mean(p, dims, /*keepdim=*/true)), along);
    std::get<0>(result) = at::mul(centred, scale).to(input.scalar_type());
  }
  if (output_mask[1] && weight.defined()) {
    std::get<1>(result) = sum_to(at::mul(grad, normalized), normalized_shape).to(weight.scalar_type());
  }
  if (output_mask[2] && bias.defined()) {
    std::get<2>(result) =
        sum_to(grad, normalized_shape, /*always_return_non_view=*/true).to(bias.scalar_type());
  }
  return result;
}

Tensor layer_norm_symint(const Tensor& input, c10::SymIntArrayRef normalized_shape,
                         const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps,
                         bool /*cudnn_enable*/) {
  return std::get<0>(
      at::native_layer_norm(input, C10_AS_INTARRAYREF_SLOW(normalized_shape), weight, bias, eps));
}

}  // namespace at::native
