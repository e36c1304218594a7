// Layer normalisation and its gradients on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// All tensors are contiguous; weight and bias may be undefined, and have the dtype of mean and rstd.
void layer_norm_on_device(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          int64_t rows, int64_t columns, double eps, const TensorBase& output,
                          const TensorBase& mean, const TensorBase& rstd);

/// The backward pass. Gradients that are not requested are undefined.
void layer_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& mean,
                                   const TensorBase& rstd, const TensorBase& weight, int64_t rows,
                                   int64_t columns, const TensorBase& grad_input,
                                   const TensorBase& grad_weight, const TensorBase& grad_bias);

}  // namespace at::native
