// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/turn_ops.h>

namespace at::inline C10_ABI {

// turn(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor
inline at::Tensor turn(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims={}) {
  return at::_ops::turn::call(self, shifts, dims);
}
// turn.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & turn_out(at::Tensor & out, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims={}) {
  return at::_ops::turn_out::call(self, shifts, dims, out);
}
// turn.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & turn_outf(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  return at::_ops::turn_out::call(self, shifts, dims, out);
}

}  // namespace at::inline C10_ABI
