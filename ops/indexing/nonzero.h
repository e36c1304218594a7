// nonzero and masked_select by the device's kernels: checks, and results of the size that follows.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API Tensor nonzero_by_stub(const Tensor& self);
TORCH_API Tensor& nonzero_by_stub(const Tensor& self, Tensor& result);
TORCH_API Tensor masked_select_by_stub(const Tensor& self, const Tensor& mask);
TORCH_API Tensor& masked_select_by_stub(const Tensor& self, const Tensor& mask, Tensor& result);

}  // namespace at::native
