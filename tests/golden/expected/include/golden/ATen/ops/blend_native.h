// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API at::Tensor blend(const at::Tensor & self, const ::std::optional<at::Tensor> & weight={}, double eps=1e-05, c10::string_view mode="mean");

}  // namespace at::native
