// native_batch_norm on CUDA, and its gradients; what is computed per channel only is done by operators.
#include <ATen/native/normalization/batch_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/normalization/channel_norm.h>

#include <ATen/ops/add.h>
#include <ATen/ops/batch_norm_update_stats_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/neg.h>
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

struct Statistics {
  Tensor mean, var;
};

Statistics batch_statistics(const Tensor& x, const ChannelShape& shape) {
  Statistics found{at::empty({shape.channels}, wide_options(x)),
                   at::empty({shape.channels}, wide_options(x))};
  channel_moments_on_device(x, shape, found.mean, found.var);
  return found;
}

void update(const Tensor& running, const Tensor& value, double momentum, const Tensor& x) {
  const Tensor kept = wide(running, x).mul(1 - momentum);
  running.copy_(kept.add(value.mul(momentum)).view(running.sizes()));
}

// Running variances are unbiased: the batch is a sample of the population.
void update_running(const Tensor& mean, const Tensor& var, const Statistics& batch, int64_t n,
                    double momentum, const Tensor& x) {
  if (!mean.defined()) return;
  const double count = static_cast<double>(n);
  update(mean, batch.mean, momentum, x);
  update(var, batch.var.mul(count / (count - 1)), momentum, x);
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
  const Statistics used =
      train ? batch_statistics(x, shape) : Statistics{wide(running_mean, x), wide(running_var, x)};
  const Tensor invstd = used.var.add(eps).rsqrt();

  Tensor output = at::empty_like(x, traits.format);
  if (x.numel() > 0) {
    const Tensor scale = weight.defined() ? invstd.mul(wide(weight, x)) : invstd;
    const Tensor shift = bias.defined() ? wide(bias, x) : at::zeros({traits.channels}, wide_options(x));
    scale_channels_on_device(x, shape, used.mean, scale, shift, output);
  }
  if (!train) {
    const TensorOptions options = input.options().dtype(traits.dtype);
    return {std::move(output), at::empty({0}, options), at::empty({0}, options)};
  }
  update_running(running_mean, running_var, used, shape.elements_per_channel(), momentum, x);
  return {std::move(output), used.mean.to(traits.dtype), invstd.to(traits.dtype)};
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
  update_running(running_mean, running_var, batch, shape.elements_per_channel(), momentum, x);
  return {batch.mean.to(traits.dtype), batch.var.to(traits.dtype)};
}

namespace {

Tensor input_gradient(const Tensor& grad, const Tensor& x, const ChannelShape& shape, const Tensor& weight,
                      const Tensor& mean, const Tensor& invstd, const Tensor& sum, const Tensor& product,
                      bool train) {
  Tensor grad_x = at::empty_like(x);
  if (x.numel() == 0) return grad_x;
  const double n = static_cast<double>(shape.elements_per_channel());
  const Tensor by_grad = weight.defined() ? invstd.mul(wide(weight, x)) : invstd;
  const Tensor none = at::zeros({shape.channels}, wide_options(x));
  const Tensor by_x = train ? by_grad.mul(invstd).mul(invstd).mul(product).div(-n) : none;
  channel_gradient_on_device(grad, x, shape, mean, by_grad, by_x, train ? by_grad.mul(sum).div(-n) : none,
                             grad_x);
  return grad_x;
}

}  // namespace

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

  const Tensor sum = at::zeros({traits.channels}, wide_options(x));
  const Tensor product = at::zeros({traits.channels}, wide_options(x));
  if (x.numel() > 0) channel_gradient_sums_on_device(grad, x, shape, mean, sum, product);
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) {
    std::get<0>(result) = input_gradient(grad, x, shape, weight, mean, invstd, sum, product, train);
  }
  if (output_mask[1]) std::get<1>(result) = product.mul(invstd).to(traits.dtype);
  if (output_mask[2]) std::get<2>(result) = sum.to(traits.dtype);
  return result;
}

}  // namespace at::native
