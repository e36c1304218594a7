// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/blend_ops.h>

namespace at::inline C10_ABI {

// blend(Tensor self, Tensor? weight=None, *, float eps=1e-05, str mode="mean") -> Tensor
inline at::Tensor blend(const at::Tensor & self, const ::std::optional<at::Tensor> & weight={}, double eps=1e-05, c10::string_view mode="mean") {
  return at::_ops::blend::call(self, weight, eps, mode);
}

}  // namespace at::inline C10_ABI
