// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API probe {
  using schema = bool(const at::Tensor &);
  static constexpr const char* name = "aten::probe";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "probe(Tensor self) -> bool";
  static c10::OperatorEntry entry;
  static bool call(const at::Tensor & self);
  static bool redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self);
};

}  // namespace at::inline C10_ABI::_ops
