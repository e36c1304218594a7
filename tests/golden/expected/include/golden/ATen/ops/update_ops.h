// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API update {
  using schema = at::Tensor(const at::Tensor &, at::Tensor &, double);
  static constexpr const char* name = "aten::update";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "update(Tensor self, Tensor(a!) running, float momentum=0.10000000000000001) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, at::Tensor & running, double momentum);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::Tensor & running, double momentum);
};

struct TORCH_API update_out {
  using schema = at::Tensor &(const at::Tensor &, at::Tensor &, double, at::Tensor &);
  static constexpr const char* name = "aten::update";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "update.out(Tensor self, Tensor(a!) running, float momentum=0.10000000000000001, *, Tensor(b!) out) -> Tensor(b!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out);
};

struct TORCH_API update_functional {
  using schema = ::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, const at::Tensor &, double);
  static constexpr const char* name = "aten::update_functional";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "update_functional(Tensor self, Tensor running, float momentum=0.10000000000000001) -> (Tensor, Tensor running_out)";
  static c10::OperatorEntry entry;
  static ::std::tuple<at::Tensor,at::Tensor> call(const at::Tensor & self, const at::Tensor & running, double momentum);
  static ::std::tuple<at::Tensor,at::Tensor> redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & running, double momentum);
};

}  // namespace at::inline C10_ABI::_ops
