// tril and triu, around the device's kernel; flip.
#include <ATen/core/Tensor.h>
#include <ATen/native/Triangle.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flip_native.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>

#include <bitset>

namespace at::native {

DEFINE_DISPATCH(triangle_stub);

namespace {

void triangle(const Tensor& self, int64_t diagonal, bool upper, const Tensor& result) {
  if (self.numel() == 0) return;
  const Tensor source = self.contiguous();
  const Tensor dense = result.is_contiguous() ? result : at::empty_like(source);
  triangle_stub(self.device().type(), dense, source, diagonal, upper);
  if (!dense.is_same(result)) const_cast<Tensor&>(result).copy_(dense);
}

constexpr size_t kMaxDims = 64;

}  // namespace

TORCH_IMPL_FUNC(tril_out)(const Tensor& self, int64_t k, const Tensor& result) {
  triangle(self, k, /*upper=*/false, result);
}

TORCH_IMPL_FUNC(triu_out)(const Tensor& self, int64_t k, const Tensor& result) {
  triangle(self, k, /*upper=*/true, result);
}

// -------------------- flip

// One dimension after another: lines behind a dimension are copied whole.
Tensor flip(const Tensor& self, IntArrayRef dims) {
  TORCH_CHECK(self.dim() <= static_cast<int64_t>(kMaxDims), "only tensors with up to ", kMaxDims,
              " dims are supported");
  std::bitset<kMaxDims> seen;
  Tensor flipped = self;
  for (const int64_t given : dims) {
    const int64_t dim = maybe_wrap_dim(given, self.dim());
    TORCH_CHECK(!seen[dim], "dim ", dim, " appears multiple times in the list of dims");
    seen[dim] = true;
    if (self.dim() == 0 || self.sizes()[dim] < 2) continue;
    const int64_t last = self.sizes()[dim] - 1;
    flipped = flipped.index_select(dim, at::arange(last, -1, -1, flipped.options().dtype(kLong)));
  }
  Tensor result = at::empty_like(self);
  return result.copy_(flipped);
}

}  // namespace at::native
