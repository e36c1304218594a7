// Kernels of batch and group normalisation: statistics of channels, and their affine transformation.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/normalization/channel_shape.h>

namespace at::native {

// The mean of each channel, and the sum of squared differences from it.
using channel_moments_fn = void (*)(const TensorBase& x, const ChannelShape& shape, double* mean,
                                    double* squares);
DECLARE_DISPATCH(channel_moments_fn, channel_moments_stub)

struct ChannelScaling {
  const double *mean, *scale, *shift;
};
// y = (x - mean) * scale + shift
using scale_channels_fn = void (*)(const TensorBase& x, const ChannelShape& shape,
                                   const ChannelScaling& scaling, const TensorBase& y);
DECLARE_DISPATCH(scale_channels_fn, scale_channels_stub)

// For each channel, the sum of grad and that of grad * (x - mean).
using channel_gradient_sums_fn = void (*)(const TensorBase& grad, const TensorBase& x,
                                          const ChannelShape& shape, const double* mean, double* sum,
                                          double* product);
DECLARE_DISPATCH(channel_gradient_sums_fn, channel_gradient_sums_stub)

struct ChannelGradient {
  const double *mean, *by_grad, *by_x, *shift;
};
// grad_x = grad * by_grad + (x - mean) * by_x + shift
using channel_gradient_fn = void (*)(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                     const ChannelGradient& factors, const TensorBase& grad_x);
DECLARE_DISPATCH(channel_gradient_fn, channel_gradient_stub)

}  // namespace at::native
