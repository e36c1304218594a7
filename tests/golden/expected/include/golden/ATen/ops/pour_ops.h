// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API pour_ {
  using schema = const at::Tensor &(const at::Tensor &, const at::Tensor &, bool);
  static constexpr const char* name = "aten::pour_";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "pour_(Tensor(a!) self, Tensor source, bool non_blocking=False) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static const at::Tensor & call(const at::Tensor & self, const at::Tensor & source, bool non_blocking);
  static const at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking);
};

struct TORCH_API pour_out {
  using schema = const at::Tensor &(const at::Tensor &, const at::Tensor &, bool, const at::Tensor &);
  static constexpr const char* name = "aten::pour";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "pour.out(Tensor self, Tensor source, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static const at::Tensor & call(const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out);
  static const at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out);
};

struct TORCH_API pour {
  using schema = at::Tensor(const at::Tensor &, const at::Tensor &, bool);
  static constexpr const char* name = "aten::pour";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "pour(Tensor self, Tensor source, bool non_blocking=False) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, const at::Tensor & source, bool non_blocking);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking);
};

}  // namespace at::inline C10_ABI::_ops
