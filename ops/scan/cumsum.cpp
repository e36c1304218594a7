// cumsum around the devices' kernels.
#include <ATen/MemoryOverlap.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/scan/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum_native.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(cumsum_stub);

TORCH_IMPL_FUNC(cumsum_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> /*dtype*/, const Tensor& result) {
  at::assert_no_internal_overlap(result);
  if (self.dim() == 0) {
    result.copy_(self);
  } else if (self.numel() != 0) {
    const Tensor in = self.to(result.scalar_type());
    cumsum_stub(self.device().type(), result, in, maybe_wrap_dim(dim, self.dim()));
  }
}

}  // namespace at::native
