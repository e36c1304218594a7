// native_batch_norm on the CPU, and its gradients. Statistics and factors of channels are in double.
#include <ATen/native/normalization/batch_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/normalization/channel_norm.h>
#include <ATen/native/normalization/channel_values.h>

#include <ATen/ops/batch_norm_update_stats_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>

#include <array>
#include <cmath>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(channel_moments_stub);
DEFINE_DISPATCH(scale_channels_stub);
DEFINE_DISPATCH(channel_gradient_sums_stub);
DEFINE_DISPATCH(channel_gradient_stub);

namespace {

using Values = ChannelValues;

// The statistics that a batch is normalised with: its own in training.
struct Statistics {
  Values mean, var;

  Values invstd(double eps) const {
    Values result(var.size());
    for (size_t c = 0; c < var.size(); ++c) result[c] = 1 / std::sqrt(var[c] + eps);
    return result;
  }
};

Statistics batch_statistics(const Tensor& x, const ChannelShape& shape) {
  Statistics found{Values(shape.channels), Values(shape.channels)};
  channel_moments_stub(kCPU, x, shape, found.mean.data(), found.var.data());
  for (double& var : found.var) var /= static_cast<double>(shape.elements_per_channel());
  return found;
}

// running = running * (1 - momentum) + value * momentum, in place.
void update_running(const Tensor& running, const Values& values, double momentum, double factor) {
  Values updated = channel_values(running, static_cast<int64_t>(values.size()), 0);
  for (size_t c = 0; c < values.size(); ++c) {
    updated[c] = momentum * (values[c] * factor) + (1 - momentum) * updated[c];
  }
  running.copy_(tensor_of(updated, running.sizes(), running.scalar_type()));
}

// Running variances are unbiased: n elements of each channel are a sample of the population.
void update_running(const Tensor& running_mean, const Tensor& running_var, const Statistics& batch, int64_t n,
                    double momentum) {
  if (!running_mean.defined()) return;
  const double count = static_cast<double>(n);
  update_running(running_mean, batch.mean, momentum, 1);
  update_running(running_var, batch.var, momentum, count / (count - 1));
}

Tensor defined_or_not(const std::optional<Tensor>& t) { return t.value_or(Tensor()); }

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_cpu(const Tensor& input,
                                                  const std::optional<Tensor>& weight_opt,
                                                  const std::optional<Tensor>& bias_opt,
                                                  const std::optional<Tensor>& running_mean_opt,
                                                  const std::optional<Tensor>& running_var_opt, bool train,
                                                  double momentum, double eps) {
  const Tensor weight = defined_or_not(weight_opt), bias = defined_or_not(bias_opt),
               running_mean = defined_or_not(running_mean_opt), running_var = defined_or_not(running_var_opt);
  const BatchNormTraits traits = check_batch_norm(input, weight, bias, running_mean, running_var, train);
  const Tensor x = input.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  const Statistics statistics = train ? batch_statistics(x, shape)
                                      : Statistics{channel_values(running_mean, traits.channels, 0),
                                                   channel_values(running_var, traits.channels, 1)};
  const Values invstd = statistics.invstd(eps);
  Values scale = channel_values(weight, traits.channels, 1);
  for (int64_t c = 0; c < traits.channels; ++c) scale[c] *= invstd[c];
  const Values shift = channel_values(bias, traits.channels, 0);

  Tensor output = at::empty_like(x, traits.format);
  if (x.numel() > 0) {
    scale_channels_stub(kCPU, x, shape, ChannelScaling{statistics.mean.data(), scale.data(), shift.data()},
                        output);
  }
  if (!train) {
    const TensorOptions options = input.options().dtype(traits.dtype);
    return {std::move(output), at::empty({0}, options), at::empty({0}, options)};
  }
  update_running(running_mean, running_var, statistics, shape.elements_per_channel(), momentum);
  return {std::move(output), tensor_of(statistics.mean, {traits.channels}, traits.dtype),
          tensor_of(invstd, {traits.channels}, traits.dtype)};
}

std::tuple<Tensor, Tensor> batch_norm_update_stats_cpu(const Tensor& input,
                                                       const std::optional<Tensor>& running_mean_opt,
                                                       const std::optional<Tensor>& running_var_opt,
                                                       double momentum) {
  const Tensor running_mean = defined_or_not(running_mean_opt), running_var = defined_or_not(running_var_opt);
  const BatchNormTraits traits = check_batch_norm(input, {}, {}, running_mean, running_var, /*train=*/true);
  const Tensor x = input.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  const Statistics statistics = batch_statistics(x, shape);
  update_running(running_mean, running_var, statistics, shape.elements_per_channel(), momentum);
  return {tensor_of(statistics.mean, {traits.channels}, traits.dtype),
          tensor_of(statistics.var, {traits.channels}, traits.dtype)};
}

namespace {

// The gradient of x, which in training includes that of the channels' statistics: there the means of the
// channels' gradients are subtracted.
Tensor input_gradient(const Tensor& grad, const Tensor& x, MemoryFormat format, const ChannelShape& shape,
                      const Values& weight, const Statistics& used, const Values& invstd, const Values& sum,
                      const Values& product, bool train) {
  Tensor grad_x = at::empty_like(x, format);
  if (x.numel() == 0) return grad_x;
  Values by_grad = weight, by_x(weight.size()), shift(weight.size());
  const double n = static_cast<double>(shape.elements_per_channel());
  for (size_t c = 0; c < weight.size(); ++c) {
    by_grad[c] *= invstd[c];
    if (!train) continue;
    by_x[c] = -by_grad[c] * invstd[c] * invstd[c] * product[c] / n;
    shift[c] = -by_grad[c] * sum[c] / n;
  }
  const ChannelGradient factors{used.mean.data(), by_grad.data(), by_x.data(), shift.data()};
  channel_gradient_stub(kCPU, grad, x, shape, factors, grad_x);
  return grad_x;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward_cpu(
    const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight_opt,
    const std::optional<Tensor>& running_mean_opt, const std::optional<Tensor>& running_var_opt,
    const std::optional<Tensor>& save_mean_opt, const std::optional<Tensor>& save_invstd_opt, bool train,
    double eps, std::array<bool, 3> output_mask) {
  const Tensor weight = defined_or_not(weight_opt);
  const Tensor used_mean = defined_or_not(train ? save_mean_opt : running_mean_opt);
  const Tensor used_scale = defined_or_not(train ? save_invstd_opt : running_var_opt);
  const BatchNormTraits traits =
      check_batch_norm_backward(grad_out, input, weight, used_mean, used_scale, train);
  const int64_t channels = traits.channels;
  const Tensor x = input.contiguous(traits.format), grad = grad_out.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  const Statistics used{channel_values(used_mean, channels, 0), channel_values(used_scale, channels, 0)};
  const Values invstd = train ? used.var : used.invstd(eps);

  Values sum(channels), product(channels);
  if (x.numel() > 0 && (train || output_mask[1] || output_mask[2])) {
    channel_gradient_sums_stub(kCPU, grad, x, shape, used.mean.data(), sum.data(), product.data());
  }
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) {
    std::get<0>(result) = input_gradient(grad, x, traits.format, shape, channel_values(weight, channels, 1),
                                         used, invstd, sum, product, train);
  }
  if (output_mask[1]) {
    for (int64_t c = 0; c < channels; ++c) product[c] *= invstd[c];
    std::get<1>(result) = tensor_of(product, {traits.channels}, traits.dtype);
  }
  if (output_mask[2]) std::get<2>(result) = tensor_of(sum, {traits.channels}, traits.dtype);
  return result;
}

}  // namespace at::native
