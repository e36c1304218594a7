// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/pour_ops.h>

namespace at::inline C10_ABI {

// pour.out(Tensor self, Tensor source, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)
inline const at::Tensor & pour_out(const at::Tensor & out, const at::Tensor & self, const at::Tensor & source, bool non_blocking=false) {
  return at::_ops::pour_out::call(self, source, non_blocking, out);
}
// pour.out(Tensor self, Tensor source, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)
inline const at::Tensor & pour_outf(const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  return at::_ops::pour_out::call(self, source, non_blocking, out);
}
// pour(Tensor self, Tensor source, bool non_blocking=False) -> Tensor
inline at::Tensor pour(const at::Tensor & self, const at::Tensor & source, bool non_blocking=false) {
  return at::_ops::pour::call(self, source, non_blocking);
}

}  // namespace at::inline C10_ABI
