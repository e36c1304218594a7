// round with decimals, and nextafter.
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/nextafter_native.h>
#include <ATen/ops/round_native.h>

namespace at::native {

DEFINE_DISPATCH(round_decimals_stub);
DEFINE_DISPATCH(nextafter_stub);

TORCH_IMPL_FUNC(round_decimals_out)(const Tensor&, int64_t decimals, const Tensor&) {
  round_decimals_stub(device_type(), *this, decimals);
}

TORCH_IMPL_FUNC(nextafter_out)(const Tensor&, const Tensor&, const Tensor&) {
  nextafter_stub(device_type(), *this);
}

}  // namespace at::native
