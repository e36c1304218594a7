// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API turn {
  using schema = at::Tensor(const at::Tensor &, at::IntArrayRef, at::IntArrayRef);
  static constexpr const char* name = "aten::turn";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "turn(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims);
};

struct TORCH_API turn_out {
  using schema = at::Tensor &(const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &);
  static constexpr const char* name = "aten::turn";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "turn.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out);
};

}  // namespace at::inline C10_ABI::_ops
