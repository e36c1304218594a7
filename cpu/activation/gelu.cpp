// gelu on the CPU, by the kernel in simd/gelu.cpp.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/gelu_native.h>

namespace at::native {

TORCH_IMPL_FUNC(gelu_out_cpu)(const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluKernel(kCPU, *this, gelu_type(approximate));
}

}  // namespace at::native
