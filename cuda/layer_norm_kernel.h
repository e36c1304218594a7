// Layer normalisation on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// All tensors are contiguous; weight and bias may be undefined, and have the dtype of mean and rstd, as
/// those do.
void layer_norm_on_device(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          int64_t rows, int64_t columns, double eps, const TensorBase& output,
                          const TensorBase& mean, const TensorBase& rstd);

}  // namespace at::native
