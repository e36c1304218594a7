// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API special_knots {
  using schema = at::Tensor(int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
  static constexpr const char* name = "aten::special_knots";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "special_knots(int n, *, ScalarType\? dtype=None, Layout\? layout=None, Device\? device=None, bool\? pin_memory=None) -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory);
};

}  // namespace at::inline C10_ABI::_ops
