// Gradients of the parameters of layer_norm and rms_norm on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// grad_weight = the sum over rows of grad * (input - mean) * rstd, grad_bias that of grad; either may be
/// undefined. mean, undefined for rms_norm, rstd and the sums are Double for a Double input and Float for
/// others; all are contiguous.
void parameter_sums_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& mean,
                              const TensorBase& rstd, int64_t rows, int64_t columns,
                              const TensorBase& grad_weight, const TensorBase& grad_bias);

}  // namespace at::native
