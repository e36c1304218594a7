// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/ramp_ops.h>

namespace at::inline C10_ABI {

// ramp(SymInt n, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor ramp(int64_t n, const at::Scalar & step=1, at::TensorOptions options={}) {
  return at::detail::made_with(options, at::_ops::ramp::call(n, step, c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), options.device_opt(), options.pinned_memory_opt()));
}
// ramp(SymInt n, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor ramp(int64_t n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return at::_ops::ramp::call(n, step, dtype, layout, device, pin_memory);
}
// ramp(SymInt n, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor ramp_symint(c10::SymInt n, const at::Scalar & step=1, at::TensorOptions options={}) {
  return at::detail::made_with(options, at::_ops::ramp::call(n, step, c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), options.device_opt(), options.pinned_memory_opt()));
}
// ramp(SymInt n, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
inline at::Tensor ramp_symint(c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return at::_ops::ramp::call(n, step, dtype, layout, device, pin_memory);
}
// ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & ramp_out(at::Tensor & out, int64_t n, const at::Scalar & step=1) {
  return at::_ops::ramp_out::call(n, step, out);
}
// ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & ramp_outf(int64_t n, const at::Scalar & step, at::Tensor & out) {
  return at::_ops::ramp_out::call(n, step, out);
}
// ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & ramp_symint_out(at::Tensor & out, c10::SymInt n, const at::Scalar & step=1) {
  return at::_ops::ramp_out::call(n, step, out);
}
// ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & ramp_symint_outf(c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  return at::_ops::ramp_out::call(n, step, out);
}

}  // namespace at::inline C10_ABI
