// rms_norm and its gradients on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// All tensors are contiguous; weight, which may be undefined, and rstd are Double beside a Double input and
/// Float beside others.
void rms_norm_on_device(const TensorBase& input, const TensorBase& weight, int64_t rows, int64_t columns,
                        double eps, const TensorBase& output, const TensorBase& rstd);

/// The same, backwards. Gradients that are not asked for are undefined; that of weight is added to.
void rms_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& rstd,
                                 const TensorBase& weight, int64_t rows, int64_t columns,
                                 const TensorBase& grad_input, const TensorBase& grad_weight);

}  // namespace at::native
