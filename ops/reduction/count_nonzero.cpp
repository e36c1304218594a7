// count_nonzero: how many elements aren't zero.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>

#include <ATen/ops/count_nonzero.h>
#include <ATen/ops/count_nonzero_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zero.h>

namespace at::native {

DEFINE_DISPATCH(count_stub);

Tensor count_nonzero_dims(const Tensor& self, IntArrayRef dim) {
  const DimVector shape = meta::get_reduction_shape(self, dim, /*keepdim=*/false);
  Tensor result = at::empty(shape, self.options().dtype(kLong));
  if (self.is_meta()) return result;
  if (self.numel() == 0) return result.zero_();
  auto iter = meta::make_reduction(self, result, dim, /*keepdim=*/false);
  count_stub(iter.device_type(), iter);
  return result;
}

Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim) {
  return dim ? at::count_nonzero(self, IntArrayRef(*dim)) : at::count_nonzero(self, IntArrayRef{});
}

}  // namespace at::native
