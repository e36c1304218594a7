// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/update_ops.h>

namespace at::inline C10_ABI {

// update(Tensor self, Tensor(a!) running, float momentum=0.1) -> Tensor
inline at::Tensor update(const at::Tensor & self, at::Tensor & running, double momentum) {
  return at::_ops::update::call(self, running, momentum);
}
// update.out(Tensor self, Tensor(a!) running, float momentum=0.1, *, Tensor(b!) out) -> Tensor(b!)
inline at::Tensor & update_out(at::Tensor & out, const at::Tensor & self, at::Tensor & running, double momentum=0.1) {
  return at::_ops::update_out::call(self, running, momentum, out);
}
// update.out(Tensor self, Tensor(a!) running, float momentum=0.1, *, Tensor(b!) out) -> Tensor(b!)
inline at::Tensor & update_outf(const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  return at::_ops::update_out::call(self, running, momentum, out);
}
// update_functional(Tensor self, Tensor running, float momentum=0.1) -> (Tensor, Tensor running_out)
inline ::std::tuple<at::Tensor,at::Tensor> update_functional(const at::Tensor & self, const at::Tensor & running, double momentum=0.1) {
  return at::_ops::update_functional::call(self, running, momentum);
}

}  // namespace at::inline C10_ABI
