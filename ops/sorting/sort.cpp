// sort around the devices' kernels.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/sorting/overlap.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sort_native.h>
#include <ATen/ops/zero.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(sort_stub);

TORCH_IMPL_FUNC(sort_stable_out)
(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending, const Tensor& values,
 const Tensor& indices) {
  TORCH_CHECK(!isComplexType(self.scalar_type()), "Sort currently does not support complex dtypes");
  if (self.numel() == 0) {
    return;
  }
  check_overlap(self, values, indices);
  if (self.dim() == 0) {
    const_cast<Tensor&>(values).copy_(self);
    const_cast<Tensor&>(indices).zero_();
    return;
  }
  sort_stub(self.device().type(), self, values, indices, maybe_wrap_dim(dim, self.dim()), descending,
            stable.value_or(false));
}

std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim, bool descending) {
  return at::sort(self, /*stable=*/false, dim, descending);
}

std::tuple<Tensor&, Tensor&> sort_out(const Tensor& self, int64_t dim, bool descending, Tensor& values,
                                      Tensor& indices) {
  return at::sort_out(values, indices, self, /*stable=*/false, dim, descending);
}

}  // namespace at::native
