// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/window_copy_ops.h>

namespace at::inline C10_ABI {

// window_copy(Tensor self, SymInt[] size, SymInt? offset=None) -> Tensor
inline at::Tensor window_copy(const at::Tensor & self, at::IntArrayRef size, ::std::optional<int64_t> offset=::std::nullopt) {
  return at::_ops::window_copy::call(self, c10::fromIntArrayRefSlow(size), offset.has_value() ? ::std::make_optional(c10::SymInt(*offset)) : ::std::nullopt);
}
// window_copy(Tensor self, SymInt[] size, SymInt? offset=None) -> Tensor
inline at::Tensor window_copy_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset=::std::nullopt) {
  return at::_ops::window_copy::call(self, size, offset);
}
// window_copy.out(Tensor self, SymInt[] size, SymInt? offset=None, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & window_copy_out(at::Tensor & out, const at::Tensor & self, at::IntArrayRef size, ::std::optional<int64_t> offset=::std::nullopt) {
  return at::_ops::window_copy_out::call(self, c10::fromIntArrayRefSlow(size), offset.has_value() ? ::std::make_optional(c10::SymInt(*offset)) : ::std::nullopt, out);
}
// window_copy.out(Tensor self, SymInt[] size, SymInt? offset=None, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & window_copy_outf(const at::Tensor & self, at::IntArrayRef size, ::std::optional<int64_t> offset, at::Tensor & out) {
  return at::_ops::window_copy_out::call(self, c10::fromIntArrayRefSlow(size), offset.has_value() ? ::std::make_optional(c10::SymInt(*offset)) : ::std::nullopt, out);
}
// window_copy.out(Tensor self, SymInt[] size, SymInt? offset=None, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & window_copy_symint_out(at::Tensor & out, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset=::std::nullopt) {
  return at::_ops::window_copy_out::call(self, size, offset, out);
}
// window_copy.out(Tensor self, SymInt[] size, SymInt? offset=None, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & window_copy_symint_outf(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  return at::_ops::window_copy_out::call(self, size, offset, out);
}

}  // namespace at::inline C10_ABI
