// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API ramp {
  using schema = at::Tensor(c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
  static constexpr const char* name = "aten::ramp";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "ramp(SymInt n, Scalar step=1, *, ScalarType\? dtype=None, Layout\? layout=None, Device\? device=None, bool\? pin_memory=None) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory);
};

struct TORCH_API ramp_out {
  using schema = at::Tensor &(c10::SymInt, const at::Scalar &, at::Tensor &);
  static constexpr const char* name = "aten::ramp";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(c10::SymInt n, const at::Scalar & step, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, c10::SymInt n, const at::Scalar & step, at::Tensor & out);
};

}  // namespace at::inline C10_ABI::_ops
