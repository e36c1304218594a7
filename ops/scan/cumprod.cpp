// cumprod around the device's kernel.
#include <ATen/native/scan/contiguous_scan.h>
#include <ATen/native/scan/stubs.h>

#include <ATen/ops/cumprod_native.h>

namespace at::native {

DEFINE_DISPATCH(cumprod_stub);

TORCH_IMPL_FUNC(cumprod_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> /*dtype*/, const Tensor& result) {
  contiguous_scan(cumprod_stub, self, dim, result);
}

}  // namespace at::native
