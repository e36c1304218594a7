// sort and topk around the devices' kernels.

#include <ATen/MemoryOverlap.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sort_native.h>
#include <ATen/ops/topk_native.h>
#include <ATen/ops/zero.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(sort_stub);
DEFINE_DISPATCH(topk_stub);

namespace {

// An out= argument that shares memory with the input would be overwritten while it is read.
void check_overlap(const Tensor& self, const Tensor& values, const Tensor& indices) {
  at::assert_no_internal_overlap(values);
  at::assert_no_internal_overlap(indices);
  at::assert_no_overlap(values, self);
  at::assert_no_overlap(indices, self);
  at::assert_no_overlap(values, indices);
}

}  // namespace

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

void topk_of_lines(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                   const Tensor& values, const Tensor& indices) {
  TORCH_CHECK(!isComplexType(self.scalar_type()), "topk does not support complex dtypes");
  if (self.numel() == 0 || k == 0) return;
  check_overlap(self, values, indices);
  if (self.dim() == 0) {
    const_cast<Tensor&>(values).copy_(self);
    const_cast<Tensor&>(indices).zero_();
    return;
  }
  topk_stub(self.device().type(), values, indices, self, k, maybe_wrap_dim(dim, self.dim()), largest, sorted);
}

TORCH_IMPL_FUNC(topk_out_cpu)
(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted, const Tensor& values,
 const Tensor& indices) {
  topk_of_lines(self, k, dim, largest, sorted, values, indices);
}

}  // namespace at::native
