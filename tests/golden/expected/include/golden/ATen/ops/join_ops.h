// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API join {
  using schema = at::Tensor(const at::ITensorListRef &, int64_t);
  static constexpr const char* name = "aten::join";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "join(Tensor[] tensors, int dim=0) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::ITensorListRef & tensors, int64_t dim);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::ITensorListRef & tensors, int64_t dim);
};

struct TORCH_API join_out {
  using schema = at::Tensor &(const at::ITensorListRef &, int64_t, at::Tensor &);
  static constexpr const char* name = "aten::join";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "join.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out);
};

struct TORCH_API join_masks {
  using schema = ::std::vector<at::Tensor>(const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &);
  static constexpr const char* name = "aten::join";
  static constexpr const char* overload_name = "masks";
  static constexpr const char* schema_str = "join.masks(Tensor self, Tensor\?[] masks) -> Tensor[]";
  static c10::OperatorEntry entry;
  static ::std::vector<at::Tensor> call(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks);
  static ::std::vector<at::Tensor> redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks);
};

}  // namespace at::inline C10_ABI::_ops
