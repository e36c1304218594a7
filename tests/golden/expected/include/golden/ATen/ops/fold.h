// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/fold_ops.h>

namespace at::inline C10_ABI {

/// Greatest element along dim, and "where" it was found; at 100 % a \ stands as it is.
///
/// Args:
///     self: (..., N, ...), real; where a \ ends the line \.
///     dim: dimension of size N.
///
/// Returns:
///     values: (...), the greatest elements.
///     indices: (...), int64, their places.
// fold.dim(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)
inline ::std::tuple<at::Tensor,at::Tensor> fold(const at::Tensor & self, int64_t dim=-1, bool keepdim=false) {
  return at::_ops::fold_dim::call(self, dim, keepdim);
}
// fold.dim_out(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
inline ::std::tuple<at::Tensor &,at::Tensor &> fold_out(at::Tensor & values, at::Tensor & indices, const at::Tensor & self, int64_t dim=-1, bool keepdim=false) {
  return at::_ops::fold_dim_out::call(self, dim, keepdim, values, indices);
}
// fold.dim_out(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
inline ::std::tuple<at::Tensor &,at::Tensor &> fold_outf(const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  return at::_ops::fold_dim_out::call(self, dim, keepdim, values, indices);
}

}  // namespace at::inline C10_ABI
