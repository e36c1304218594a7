// native_batch_norm on CUDA, and its gradients.
#include <ATen/native/normalization/batch_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/channel_norm.h>

#include <ATen/ops/add.h>
#include <ATen/ops/batch_norm_update_stats_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <tuple>

namespace at::native {

namespace {

using OptionalTensor = std::optional<Tensor>;

Tensor defined_or_not(const OptionalTensor& t) { return t.value_or(Tensor()); }

TensorOptions wide_options(const Tensor& x) {
  return x.options().dtype(x.scalar_type() == kDouble ? kDouble : kFloat);
}

// A parameter in the compute type.
Tensor wide(const Tensor& t, const Tensor& x) {
  return t.to(wide_options(x).dtype().toScalarType()).reshape({t.numel()}).contiguous();
}

Tensor wide_or_not(const Tensor& t, const Tensor& x) { return t.defined() ? wide(t, x) : t; }

struct Statistics {
  Tensor mean, var;
};

Statistics batch_statistics(const Tensor& x, const ChannelShape& shape) {
  Statistics found{at::empty({shape.channels}, wide_options(x)),
                   at::empty({shape.channels}, wide_options(x))};
  channel_moments_on_device(x, shape, found.mean, found.var);
  return found;
}

// What the output is made with, by channel.
struct Factors {
  Tensor invstd, scale, shift;
};

// Adds the statistics of a batch of n elements to the running ones, if there are any. Running variances are
// unbiased: the batch is a sample of the population.
struct Update {
  Tensor mean, var;
  double momentum;
  int64_t n;
};

Factors factors_of(const Statistics& used, const Tensor& weight, const Tensor& bias, double eps,
                   const Update& update, const Tensor& x) {
  const auto empty = [&] { return at::empty_like(used.var); };
  const double n = static_cast<double>(update.n);
  // Of other dtypes or strides these are copies.
  const Tensor mean = wide_or_not(update.mean, x), var = wide_or_not(update.var, x);
  const Factors found{empty(), empty(), empty()};
  channel_factors_on_device(used.mean, used.var, 1, wide_or_not(weight, x), wide_or_not(bias, x), eps,
                            {mean, var, update.momentum, n / (n - 1)},
                            {found.invstd, {}, found.scale, found.shift});
  const auto put_back = [](const Tensor& running, const Tensor& value) {
    if (running.defined() && running.const_data_ptr() != value.const_data_ptr()) {
      const_cast<Tensor&>(running).copy_(value.view(running.sizes()));
    }
  };
  put_back(update.mean, mean);
  put_back(update.var, var);
  return found;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_cuda(const Tensor& input, const OptionalTensor& weight_opt,
                                                   const OptionalTensor& bias_opt,
                                                   const OptionalTensor& running_mean_opt,
                                                   const OptionalTensor& running_var_opt, bool train,
                                                   double momentum, double eps) {
  const Tensor weight = defined_or_not(weight_opt), bias = defined_or_not(bias_opt),
               running_mean = defined_or_not(running_mean_opt), running_var = defined_or_not(running_var_opt);
  const BatchNormTraits traits = check_batch_norm(input, weight, bias, running_mean, running_var, train);
  const Tensor x = input.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  Tensor output = at::empty_like(x, traits.format);
  if (!train) {
    if (x.numel() > 0) {
      normalize_channels_on_device(x, shape, wide(running_mean, x), wide(running_var, x),
                                   wide_or_not(weight, x), wide_or_not(bias, x), eps, output);
    }
    const TensorOptions options = input.options().dtype(traits.dtype);
    return {std::move(output), at::empty({0}, options), at::empty({0}, options)};
  }
  const Statistics used = batch_statistics(x, shape);
  const Update update{running_mean, running_var, momentum, shape.elements_per_channel()};
  const Factors factors = factors_of(used, weight, bias, eps, update, x);
  if (x.numel() > 0) scale_channels_on_device(x, shape, used.mean, factors.scale, factors.shift, output);
  return {std::move(output), used.mean.to(traits.dtype), factors.invstd.to(traits.dtype)};
}

std::tuple<Tensor, Tensor> batch_norm_update_stats_cuda(const Tensor& input,
                                                        const OptionalTensor& running_mean_opt,
                                                        const OptionalTensor& running_var_opt,
                                                        double momentum) {
  const Tensor running_mean = defined_or_not(running_mean_opt), running_var = defined_or_not(running_var_opt);
  const BatchNormTraits traits = check_batch_norm(input, {}, {}, running_mean, running_var, /*train=*/true);
  const Tensor x = input.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  const Statistics batch = batch_statistics(x, shape);
  factors_of(batch, {}, {}, 0, {running_mean, running_var, momentum, shape.elements_per_channel()}, x);
  return {batch.mean.to(traits.dtype), batch.var.to(traits.dtype)};
}

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward_cuda(const Tensor& grad_out, const Tensor& input,
                                                            const OptionalTensor& weight_opt,
                                                            const OptionalTensor& running_mean_opt,
                                                            const OptionalTensor& running_var_opt,
                                                            const OptionalTensor& save_mean_opt,
                                                            const OptionalTensor& save_invstd_opt, bool train,
                                                            double eps, std::array<bool, 3> output_mask) {
  const Tensor weight = defined_or_not(weight_opt);
  const Tensor used_mean = defined_or_not(train ? save_mean_opt : running_mean_opt);
  const Tensor used_scale = defined_or_not(train ? save_invstd_opt : running_var_opt);
  const BatchNormTraits traits =
      check_batch_norm_backward(grad_out, input, weight, used_mean, used_scale, train);
  const Tensor x = input.contiguous(traits.format), grad = grad_out.contiguous(traits.format);
  const ChannelShape shape = channel_shape(x, traits);
  const Tensor mean = wide(used_mean, x);
  const Tensor invstd = train ? wide(used_scale, x) : wide(used_scale, x).add(eps).rsqrt();

  const auto of_channels = [&] {
    const TensorOptions options = wide_options(x);
    return x.numel() > 0 ? at::empty({traits.channels}, options) : at::zeros({traits.channels}, options);
  };
  const Tensor sum = of_channels(), product = of_channels(), by_grad = of_channels(), none;
  const Tensor by_x = train ? of_channels() : none, shift = train ? of_channels() : none;
  Tensor grad_weight = of_channels(), grad_x = output_mask[0] ? at::empty_like(x, traits.format) : none;
  if (x.numel() > 0) {
    channel_gradient_sums_on_device(grad, x, shape, mean, 1, sum, product);
    gradient_factors_on_device(sum, product, invstd, wide_or_not(weight, x), shape.elements_per_channel(),
                               {by_grad, by_x, shift, grad_weight});
    if (output_mask[0]) channel_gradient_on_device(grad, x, shape, mean, by_grad, by_x, shift, grad_x);
  }
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) std::get<0>(result) = std::move(grad_x);
  if (output_mask[1]) std::get<1>(result) = grad_weight.to(traits.dtype);
  if (output_mask[2]) std::get<2>(result) = sum.to(traits.dtype);
  return result;
}

}  // namespace at::native
