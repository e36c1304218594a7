// rms_norm and its gradients on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// All tensors are contiguous; weight, which may be undefined, and rstd are Double for a Double input and
/// Float for others.
void rms_norm_on_device(const TensorBase& input, const TensorBase& weight, int64_t rows, int64_t columns,
                        double eps, const TensorBase& output, const TensorBase& rstd);

/// The backward pass. Gradients that are not requested are undefined.
void rms_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& rstd,
                                 const TensorBase& weight, int64_t rows, int64_t columns,
                                 const TensorBase& grad_input, const TensorBase& grad_weight);

}  // namespace at::native
