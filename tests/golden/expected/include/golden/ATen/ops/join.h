// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/join_ops.h>

namespace at::inline C10_ABI {

// join(Tensor[] tensors, int dim=0) -> Tensor
inline at::Tensor join(const at::ITensorListRef & tensors, int64_t dim=0) {
  return at::_ops::join::call(tensors, dim);
}
// join.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & join_out(at::Tensor & out, const at::ITensorListRef & tensors, int64_t dim=0) {
  return at::_ops::join_out::call(tensors, dim, out);
}
// join.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & join_outf(const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  return at::_ops::join_out::call(tensors, dim, out);
}
// join.masks(Tensor self, Tensor?[] masks) -> Tensor[]
inline ::std::vector<at::Tensor> join(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  return at::_ops::join_masks::call(self, masks);
}

}  // namespace at::inline C10_ABI
