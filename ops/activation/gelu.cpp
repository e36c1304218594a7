// The gradient of gelu, and the stubs of both.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/gelu_backward_native.h>
#include <ATen/ops/gelu_native.h>

namespace at::native {

DEFINE_DISPATCH(GeluKernel);
DEFINE_DISPATCH(GeluBackwardKernel);

TORCH_IMPL_FUNC(gelu_backward_out)
(const Tensor&, const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluBackwardKernel(device_type(), *this, gelu_type(approximate));
}

}  // namespace at::native
