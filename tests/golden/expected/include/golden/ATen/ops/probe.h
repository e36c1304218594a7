// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/probe_ops.h>

namespace at::inline C10_ABI {

// probe(Tensor self) -> bool
inline bool __dispatch_probe(const at::Tensor & self) {
  return at::_ops::probe::call(self);
}

}  // namespace at::inline C10_ABI
