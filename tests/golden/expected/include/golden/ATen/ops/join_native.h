// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/join_meta.h>

namespace at::native {

TORCH_API ::std::vector<at::Tensor> join_masks(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks);
TORCH_API ::std::vector<at::Tensor> join_masks_quantized(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks);
struct structured_join_out_cpu : public at::meta::structured_join {
  TORCH_API void impl(const at::ITensorListRef & tensors, int64_t dim, const at::Tensor & out);
};
struct structured_join_out_cuda : public at::meta::structured_join {
  TORCH_API void impl(const at::ITensorListRef & tensors, int64_t dim, const at::Tensor & out);
};

}  // namespace at::native
