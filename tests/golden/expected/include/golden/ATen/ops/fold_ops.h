// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API fold_dim {
  using schema = ::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, int64_t, bool);
  static constexpr const char* name = "aten::fold";
  static constexpr const char* overload_name = "dim";
  static constexpr const char* schema_str = "fold.dim(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)";
  static c10::OperatorEntry entry;
  static ::std::tuple<at::Tensor,at::Tensor> call(const at::Tensor & self, int64_t dim, bool keepdim);
  static ::std::tuple<at::Tensor,at::Tensor> redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t dim, bool keepdim);
};

struct TORCH_API fold_dim_out {
  using schema = ::std::tuple<at::Tensor &,at::Tensor &>(const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
  static constexpr const char* name = "aten::fold";
  static constexpr const char* overload_name = "dim_out";
  static constexpr const char* schema_str = "fold.dim_out(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)";
  static c10::OperatorEntry entry;
  static ::std::tuple<at::Tensor &,at::Tensor &> call(const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices);
  static ::std::tuple<at::Tensor &,at::Tensor &> redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices);
};

}  // namespace at::inline C10_ABI::_ops
