// flip composed of other operators, for devices without a kernel of their own.
#include <ATen/core/Tensor.h>
#include <ATen/native/shape/flip_checks.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flip_native.h>
#include <ATen/ops/index_select.h>

namespace at::native {

// One dimension after another.
Tensor math_flip(const Tensor& self, IntArrayRef dims) {
  const auto flips = flipped_dims(self, dims);
  Tensor flipped = self;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!flips[d]) continue;
    const Tensor order = at::arange(self.sizes()[d] - 1, -1, -1, self.options().dtype(kLong));
    flipped = flipped.index_select(d, order);
  }
  Tensor result = at::empty_like(self);
  return result.copy_(flipped);
}

}  // namespace at::native
