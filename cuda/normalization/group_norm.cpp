// native_group_norm on CUDA, and its gradients; what is computed per channel only is done by operators.
#include <ATen/native/normalization/group_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/channel_norm.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
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

// A value for each channel of each sample: from the weight, and from a statistic of groups.
Tensor of_weight(const Tensor& t, const Tensor& x, const GroupNormShape& shape) {
  const DimVector sizes{shape.samples, shape.channels};
  if (!t.defined()) return at::full(sizes, 1, wide_options(x));
  return wide(t, x).expand(sizes).contiguous();
}

Tensor of_groups(const Tensor& t, const GroupNormShape& shape) {
  const Tensor each = t.reshape({shape.samples, shape.groups, 1});
  return each.expand({shape.samples, shape.groups, shape.channels / shape.groups})
      .reshape({shape.samples, shape.channels})
      .contiguous();
}

// Sums per-channel values over each group.
Tensor over_groups(const Tensor& t, const GroupNormShape& shape) {
  return t.view({shape.samples, shape.groups, shape.channels / shape.groups})
      .sum(IntArrayRef{2}, /*keepdim=*/false);
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
  const Tensor means = of_groups(wide(mean, x), shape), rstds = of_groups(wide(rstd, x), shape);
  const Tensor sum = at::zeros({N, C}, wide_options(x)), product = at::zeros({N, C}, wide_options(x));
  if (x.numel() > 0) channel_gradient_sums_on_device(grad, x, channels_of(shape), means, sum, product);
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) {
    Tensor grad_x = at::empty_like(x);
    if (x.numel() > 0) {
      const double n = static_cast<double>(shape.elements_per_group());
      const Tensor factor = of_weight(weight, x, shape);
      const Tensor sums = of_groups(over_groups(sum.mul(factor), shape), shape);
      const Tensor products = of_groups(over_groups(product.mul(factor), shape), shape);
      channel_gradient_on_device(grad, x, channels_of(shape), means, rstds.mul(factor),
                                 rstds.mul(rstds).mul(rstds).mul(products).div(-n), rstds.mul(sums).div(-n),
                                 grad_x);
    }
    std::get<0>(result) = grad_x.contiguous(shape.format);
  }
  if (output_mask[1]) std::get<1>(result) = product.mul(rstds).sum(IntArrayRef{0}, false).to(shape.dtype);
  if (output_mask[2]) std::get<2>(result) = sum.sum(IntArrayRef{0}, false).to(shape.dtype);
  return result;
}

}  // namespace at::native
