// tril and triu, around the device's kernel.
#include <ATen/core/Tensor.h>
#include <ATen/native/shape/stubs.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>

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

}  // namespace

TORCH_IMPL_FUNC(tril_out)(const Tensor& self, int64_t k, const Tensor& result) {
  triangle(self, k, /*upper=*/false, result);
}

TORCH_IMPL_FUNC(triu_out)(const Tensor& self, int64_t k, const Tensor& result) {
  triangle(self, k, /*upper=*/true, result);
}

}  // namespace at::native
