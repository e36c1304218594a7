// flip on the CPU.
#include <ATen/native/cpu/shape/flip.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/shape/flip_checks.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flip_native.h>

namespace at::native {

DEFINE_DISPATCH(flip_stub);

Tensor flip_cpu(const Tensor& self, IntArrayRef dims) {
  const auto flips = flipped_dims(self, dims);
  Tensor result = at::empty_like(self);
  if (flips.none()) return result.copy_(self);
  if (self.numel() == 0) return result;
  if (result.is_contiguous()) {
    flip_stub(kCPU, result, self, flips);
    return result;
  }
  const Tensor dense = at::empty(self.sizes(), self.options());
  flip_stub(kCPU, dense, self, flips);
  return result.copy_(dense);
}

}  // namespace at::native
