// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/scale_ops.h>

namespace at::inline C10_ABI {

// scale.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
inline at::Tensor scale(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha=1) {
  return at::_ops::scale_Tensor::call(self, other, alpha);
}
// scale.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & scale_out(at::Tensor & out, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha=1) {
  return at::_ops::scale_out::call(self, other, alpha, out);
}
// scale.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & scale_outf(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  return at::_ops::scale_out::call(self, other, alpha, out);
}

}  // namespace at::inline C10_ABI
