// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API at::Tensor window_copy_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset=::std::nullopt);
TORCH_API at::Tensor & window_copy_out_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out);

}  // namespace at::native
