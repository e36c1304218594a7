// The check of arguments that the devices' kernels of masked_scatter_ share.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

/// The mask, expanded to self's size.
TORCH_API Tensor masked_scatter_mask(const Tensor& self, const Tensor& mask, const Tensor& source);

}  // namespace at::native
