// What group_norm's gradients need of the sums over channels, on the current device.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/normalization/group_norm.h>

namespace at::native {

/// Of each channel of each sample. All tensors here are contiguous, Double for a Double input and Float for
/// others; statistics are [samples, groups].
struct GroupSums {
  TensorBase grad, product;  // product: of grad and x - mean
};

/// What channel_gradient_on_device() takes for each channel of each sample. weight may be undefined.
struct GroupGradientFactors {
  TensorBase mean, by_grad, by_x, shift;
};
void group_gradient_factors_on_device(const GroupNormShape& shape, const GroupSums& sums,
                                      const TensorBase& mean, const TensorBase& rstd,
                                      const TensorBase& weight, const GroupGradientFactors& factors);

/// Gradients of weight and bias; those that are undefined aren't asked for.
void group_parameter_gradients_on_device(const GroupNormShape& shape, const GroupSums& sums,
                                         const TensorBase& rstd, const TensorBase& grad_weight,
                                         const TensorBase& grad_bias);

}  // namespace at::native
