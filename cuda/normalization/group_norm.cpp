// native_group_norm on CUDA, and its gradients.
#include <ATen/native/normalization/group_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/channel_norm.h>
#include <ATen/native/cuda/normalization/group_norm.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <limits>
#include <tuple>

namespace at::native {

namespace {

TensorOptions wide_options(const Tensor& x) {
  return x.options().dtype(x.scalar_type() == kDouble ? kDouble : kFloat);
}

Tensor wide(const Tensor& t, const Tensor& x) {
  return t.to(wide_options(x).dtype().toScalarType()).contiguous();
}

// The kernels read [samples, channels, inner]; channels-last inputs are copied.
ChannelShape channels_of(const GroupNormShape& shape) {
  return {1, 1, shape.samples * shape.channels, shape.inner};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> group_norm_cuda(const Tensor& input,
                                                   const std::optional<Tensor>& weight_opt,
                                                   const std::optional<Tensor>& bias_opt, int64_t N,
                                                   int64_t C, int64_t HxW, int64_t group, double eps) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &bias}));
  check_group_norm_parameter("weight", weight, C, input);
  check_group_norm_parameter("bias", bias, C, input);
  const Tensor x = input.contiguous();
  const Tensor mean =
      x.numel() == 0 ? at::zeros({N, group}, wide_options(x)) : at::empty({N, group}, wide_options(x));
  const Tensor var = at::empty_like(mean);
  Tensor output = at::empty_like(x);
  if (x.numel() == 0) {
    const Tensor rstd = at::full({N, group}, std::numeric_limits<double>::quiet_NaN(), wide_options(x));
    return {at::empty_like(input, shape.format), mean.to(shape.dtype), rstd.to(shape.dtype)};
  }
  channel_moments_on_device(x, {1, 1, N * group, shape.elements_per_group()}, mean, var);
  const auto wide_or_not = [&](const Tensor& t) { return t.defined() ? wide(t, x) : t; };
  const Tensor rstd = at::empty_like(var), means = at::empty({N, C}, wide_options(x)),
               scale = at::empty_like(means), shift = at::empty_like(means);
  channel_factors_on_device(mean, var, C / group, wide_or_not(weight), wide_or_not(bias), eps, {},
                            {rstd, means, scale, shift});
  scale_channels_on_device(x, channels_of(shape), means, scale, shift, output);
  return {output.contiguous(shape.format), mean.to(shape.dtype), rstd.to(shape.dtype)};
}

std::tuple<Tensor, Tensor, Tensor> group_norm_backward_cuda(const Tensor& grad_out, const Tensor& input,
                                                            const Tensor& mean, const Tensor& rstd,
                                                            const std::optional<Tensor>& weight_opt,
                                                            int64_t N, int64_t C, int64_t HxW, int64_t group,
                                                            std::array<bool, 3> output_mask) {
  const Tensor weight = weight_opt.value_or(Tensor());
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &mean, &rstd}));
  check_group_norm_gradient(grad_out, input, mean, rstd, shape);
  check_group_norm_parameter("weight", weight, C, input);
  const Tensor x = input.contiguous(), grad = grad_out.contiguous();
  const auto empty_or_zeros = [&](IntArrayRef sizes) {
    return x.numel() > 0 ? at::empty(sizes, wide_options(x)) : at::zeros(sizes, wide_options(x));
  };
  Tensor grad_x = output_mask[0] ? at::empty_like(x) : Tensor();
  Tensor grad_weight = output_mask[1] ? empty_or_zeros({C}) : Tensor();
  Tensor grad_bias = output_mask[2] ? empty_or_zeros({C}) : Tensor();
  if (x.numel() > 0) {
    const Tensor means = wide(mean, x), rstds = wide(rstd, x);
    const auto empty = [&] { return at::empty({N, C}, wide_options(x)); };
    const GroupSums sums{empty(), empty()};
    channel_gradient_sums_on_device(grad, x, channels_of(shape), means, C / group, sums.grad, sums.product);
    if (output_mask[0]) {
      const GroupGradientFactors factors{empty(), empty(), empty(), empty()};
      group_gradient_factors_on_device(shape, sums, means, rstds, weight.defined() ? wide(weight, x) : weight,
                                       factors);
      channel_gradient_on_device(grad, x, channels_of(shape), factors.mean, factors.by_grad, factors.by_x,
                                 factors.shift, grad_x);
    }
    group_parameter_gradients_on_device(shape, sums, rstds, grad_weight, grad_bias);
  }
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) std::get<0>(result) = grad_x.contiguous(shape.format);
  if (output_mask[1]) std::get<1>(result) = grad_weight.to(shape.dtype);
  if (output_mask[2]) std::get<2>(result) = grad_bias.to(shape.dtype);
  return result;
}

}  // namespace at::native
