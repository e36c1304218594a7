// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API const at::Tensor & pour_(const at::Tensor & self, const at::Tensor & source, bool non_blocking=false);
TORCH_API const at::Tensor & pour_out(const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out);
TORCH_API at::Tensor pour(const at::Tensor & self, const at::Tensor & source, bool non_blocking=false);

}  // namespace at::native
