// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API acme_rank {
  using schema = ::std::tuple<at::Tensor,at::Tensor,int64_t>(const at::Tensor &, int64_t, ::std::optional<at::Device>);
  static constexpr const char* name = "acme::rank";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "rank(Tensor self, int k, Device\? device=None) -> (Tensor, Tensor, int)";
  static c10::OperatorEntry entry;
  static ::std::tuple<at::Tensor,at::Tensor,int64_t> call(const at::Tensor & self, int64_t k, ::std::optional<at::Device> device);
  static ::std::tuple<at::Tensor,at::Tensor,int64_t> redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t k, ::std::optional<at::Device> device);
};

}  // namespace at::inline C10_ABI::_ops
