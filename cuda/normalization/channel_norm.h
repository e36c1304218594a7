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

/// y = (x - mean) * scale + shift
void scale_channels_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                              const TensorBase& scale, const TensorBase& shift, const TensorBase& y);

/// For each channel, the sum of grad and that of grad * (x - mean).
void channel_gradient_sums_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                     const TensorBase& mean, const TensorBase& sum,
                                     const TensorBase& product);

/// grad_x = grad * by_grad + (x - mean) * by_x + shift
void channel_gradient_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                const TensorBase& mean, const TensorBase& by_grad, const TensorBase& by_x,
                                const TensorBase& shift, const TensorBase& grad_x);

}  // namespace at::native
