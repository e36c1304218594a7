// gelu on CUDA, by the kernel in gelu.cu.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/gelu_native.h>

namespace at::native {

TORCH_IMPL_FUNC(gelu_out_cuda)(const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluKernel(kCUDA, *this, gelu_type(approximate));
}

}  // namespace at::native
