// gelu on the CPU, and its gradient.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/gelu_backward_native.h>
#include <ATen/ops/gelu_native.h>

namespace at::native {

DEFINE_DISPATCH(GeluKernel);
DEFINE_DISPATCH(GeluBackwardKernel);

namespace {

GeluType gelu_type(c10::string_view approximate) {
  return approximate == "tanh" ? GeluType::Tanh : GeluType::None;
}

}  // namespace

TORCH_IMPL_FUNC(gelu_out_cpu)(const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluKernel(kCPU, *this, gelu_type(approximate));
}

TORCH_IMPL_FUNC(gelu_backward_out)
(const Tensor&, const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluBackwardKernel(device_type(), *this, gelu_type(approximate));
}

}  // namespace at::native
