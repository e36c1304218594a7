// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/window_ops.h>

namespace at::inline C10_ABI {

// window(Tensor(a) self, SymInt[] size, SymInt? offset=None) -> Tensor(a)
inline at::Tensor window(const at::Tensor & self, at::IntArrayRef size, ::std::optional<int64_t> offset=::std::nullopt) {
  return at::_ops::window::call(self, c10::fromIntArrayRefSlow(size), offset.has_value() ? ::std::make_optional(c10::SymInt(*offset)) : ::std::nullopt);
}
// window(Tensor(a) self, SymInt[] size, SymInt? offset=None) -> Tensor(a)
inline at::Tensor window_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset=::std::nullopt) {
  return at::_ops::window::call(self, size, offset);
}

}  // namespace at::inline C10_ABI
