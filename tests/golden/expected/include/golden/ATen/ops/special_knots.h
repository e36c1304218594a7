// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/special_knots_ops.h>

namespace at::inline C10_ABI {

// special_knots(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor special_knots(int64_t n, at::TensorOptions options={}) {
  return at::detail::made_with(options, at::_ops::special_knots::call(n, c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), options.device_opt(), options.pinned_memory_opt()));
}
// special_knots(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor special_knots(int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return at::_ops::special_knots::call(n, dtype, layout, device, pin_memory);
}

}  // namespace at::inline C10_ABI
