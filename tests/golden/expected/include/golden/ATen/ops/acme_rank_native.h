// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace acme::native {

TORCH_API ::std::tuple<at::Tensor,at::Tensor,int64_t> rank_cpu(const at::Tensor & self, int64_t k, ::std::optional<at::Device> device=::std::nullopt);

}  // namespace acme::native
