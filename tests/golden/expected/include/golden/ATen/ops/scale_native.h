// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/scale_meta.h>

namespace at::native {

TORCH_API at::Tensor & scale_out_sparse_cpu(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out);
struct structured_ufunc_scale_CPU : public at::meta::structured_scale_Tensor {
  TORCH_API void impl(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out);
};
struct structured_ufunc_scale_CUDA : public at::meta::structured_scale_Tensor {
  TORCH_API void impl(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out);
};

}  // namespace at::native
