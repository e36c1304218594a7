// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/acme_rank_ops.h>

namespace acme {

// rank(Tensor self, int k, Device? device=None) -> (Tensor, Tensor, int)
inline ::std::tuple<at::Tensor,at::Tensor,int64_t> rank(const at::Tensor & self, int64_t k, ::std::optional<at::Device> device=::std::nullopt) {
  return at::_ops::acme_rank::call(self, k, device);
}

}  // namespace acme
