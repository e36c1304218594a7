// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API scale_Tensor {
  using schema = at::Tensor(const at::Tensor &, const at::Tensor &, const at::Scalar &);
  static constexpr const char* name = "aten::scale";
  static constexpr const char* overload_name = "Tensor";
  static constexpr const char* schema_str = "scale.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
};

struct TORCH_API scale__Tensor {
  using schema = at::Tensor &(at::Tensor &, const at::Tensor &, const at::Scalar &);
  static constexpr const char* name = "aten::scale_";
  static constexpr const char* overload_name = "Tensor";
  static constexpr const char* schema_str = "scale_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
};

struct TORCH_API scale_out {
  using schema = at::Tensor &(const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
  static constexpr const char* name = "aten::scale";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "scale.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out);
};

}  // namespace at::inline C10_ABI::_ops
