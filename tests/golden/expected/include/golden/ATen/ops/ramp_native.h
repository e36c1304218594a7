// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API at::Tensor ramp_cpu(int64_t n, const at::Scalar & step=1, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, ::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={});
TORCH_API at::Tensor ramp_cuda(int64_t n, const at::Scalar & step=1, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, ::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={});
TORCH_API at::Tensor ramp_meta_symint(c10::SymInt n, const at::Scalar & step=1, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, ::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={});
TORCH_API at::Tensor & ramp_out_symint(c10::SymInt n, const at::Scalar & step, at::Tensor & out);

}  // namespace at::native
