// Scans by stubs that take contiguous tensors.
#pragma once

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/to.h>

namespace at::native {

/// result, which has self's shape, is the scan of self in result's dtype.
template <class Stub>
void contiguous_scan(Stub& stub, const Tensor& self, int64_t dim, const Tensor& result) {
  if (result.is_meta() || self.numel() == 0) return;
  if (self.dim() == 0) {
    const_cast<Tensor&>(result).copy_(self);
    return;
  }
  const Tensor source = self.to(result.scalar_type()).contiguous();
  const bool direct = result.is_contiguous();
  const Tensor dense = direct ? result : at::empty_like(source);
  stub(self.device().type(), dense, source, maybe_wrap_dim(dim, self.dim()));
  if (!direct) const_cast<Tensor&>(result).copy_(dense);
}

}  // namespace at::native
