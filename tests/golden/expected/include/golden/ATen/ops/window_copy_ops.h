// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API window_copy {
  using schema = at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
  static constexpr const char* name = "aten::window_copy";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "window_copy(Tensor self, SymInt[] size, SymInt\? offset=None) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset);
};

struct TORCH_API window_copy_out {
  using schema = at::Tensor &(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &);
  static constexpr const char* name = "aten::window_copy";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "window_copy.out(Tensor self, SymInt[] size, SymInt\? offset=None, *, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out);
};

}  // namespace at::inline C10_ABI::_ops
