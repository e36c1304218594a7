// Kernels of batch and group normalisation on the current device: statistics of channels, and their affine
// transformation.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/normalization/channel_shape.h>

namespace at::native {

/// All tensors are contiguous; statistics and factors are [samples, channels], Double for a Double x and
/// Float for others.
void channel_moments_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                               const TensorBase& var);

/// Running statistics to which a batch is added; undefined: there are none.
struct RunningStatistics {
  TensorBase mean, var;
  double momentum, unbiased;  // unbiased: what makes the batch's variance an estimate of the population's
};

/// What scale_channels_on_device() takes, where each statistic is that of `together` channels: invstd = 1 /
/// sqrt(var + eps) for each statistic, and for each channel of each sample the mean (if it is defined),
/// scale = invstd * weight and shift = bias. weight and bias may be undefined.
struct ChannelFactors {
  TensorBase invstd, mean, scale, shift;
};
void channel_factors_on_device(const TensorBase& mean, const TensorBase& var, int64_t together,
                               const TensorBase& weight, const TensorBase& bias, double eps,
                               const RunningStatistics& running, const ChannelFactors& factors);

/// y = (x - mean) * scale + shift
void scale_channels_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                              const TensorBase& scale, const TensorBase& shift, const TensorBase& y);

/// y = (x - mean) / sqrt(var + eps) * weight + bias, of one sample's channels; weight and bias may be
/// undefined.
void normalize_channels_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                                  const TensorBase& var, const TensorBase& weight, const TensorBase& bias,
                                  double eps, const TensorBase& y);

/// For each channel, the sum of grad and that of grad * (x - mean), where each mean is that of `together`
/// channels.
void channel_gradient_sums_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                     const TensorBase& mean, int64_t together, const TensorBase& sum,
                                     const TensorBase& product);

/// What channel_gradient_on_device() takes, from the sums over `n` elements of each channel. by_x and shift
/// are undefined where statistics don't depend on x. by_weight is the gradient of the weight.
struct GradientFactors {
  TensorBase by_grad, by_x, shift, by_weight;
};
void gradient_factors_on_device(const TensorBase& sum, const TensorBase& product, const TensorBase& invstd,
                                const TensorBase& weight, int64_t n, const GradientFactors& factors);

/// grad_x = grad * by_grad + (x - mean) * by_x + shift, the latter two if they are defined.
void channel_gradient_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                const TensorBase& mean, const TensorBase& by_grad, const TensorBase& by_x,
                                const TensorBase& shift, const TensorBase& grad_x);

}  // namespace at::native
