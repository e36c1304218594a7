// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API at::Tensor update_cpu(const at::Tensor & self, at::Tensor & running, double momentum=0.1);
TORCH_API at::Tensor update_cuda(const at::Tensor & self, at::Tensor & running, double momentum=0.1);
TORCH_API at::Tensor & update_out(const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out);
TORCH_API ::std::tuple<at::Tensor,at::Tensor> update_functional(const at::Tensor & self, const at::Tensor & running, double momentum=0.1);

}  // namespace at::native
