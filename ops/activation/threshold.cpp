// Entry points of threshold, softplus and leaky_relu.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/leaky_relu_backward_native.h>
#include <ATen/ops/softplus_backward_native.h>
#include <ATen/ops/softplus_native.h>
#include <ATen/ops/threshold_backward_native.h>
#include <ATen/ops/threshold_native.h>

namespace at::native {

DEFINE_DISPATCH(threshold_stub);
DEFINE_DISPATCH(softplus_stub);
DEFINE_DISPATCH(softplus_backward_stub);
DEFINE_DISPATCH(leaky_relu_backward_stub);

TORCH_IMPL_FUNC(threshold_out)
(const Tensor&, const Scalar& threshold, const Scalar& value, const Tensor&) {
  threshold_stub(device_type(), *this, threshold, value);
}

TORCH_IMPL_FUNC(threshold_backward_out)
(const Tensor&, const Tensor&, const Scalar& threshold, const Tensor&) {
  threshold_stub(device_type(), *this, threshold, 0);
}

TORCH_IMPL_FUNC(softplus_out)(const Tensor&, const Scalar& beta, const Scalar& threshold, const Tensor&) {
  softplus_stub(device_type(), *this, beta, threshold);
}

TORCH_IMPL_FUNC(softplus_backward_out)
(const Tensor&, const Tensor&, const Scalar& beta, const Scalar& threshold, const Tensor&) {
  softplus_backward_stub(device_type(), *this, beta, threshold);
}

TORCH_IMPL_FUNC(leaky_relu_backward_out)
(const Tensor&, const Tensor&, const Scalar& negative_slope, bool /*self_is_result*/, const Tensor&) {
  leaky_relu_backward_stub(device_type(), *this, negative_slope);
}

}  // namespace at::native
