// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/fold_meta.h>

namespace at::native {

TORCH_API ::std::tuple<at::Tensor &,at::Tensor &> fold_out_private(const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices);
struct structured_fold_out : public at::meta::structured_fold_dim {
  TORCH_API void impl(const at::Tensor & self, int64_t dim, int64_t length, bool keepdim, const at::Tensor & values, const at::Tensor & indices);
};

}  // namespace at::native
