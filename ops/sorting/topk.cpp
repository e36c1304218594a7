// What topk does on every device, around the device's kernel.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/sorting/overlap.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/topk_native.h>
#include <ATen/ops/zero.h>

namespace at::native {

DEFINE_DISPATCH(topk_stub);

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

}  // namespace at::native
