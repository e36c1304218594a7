// gelu on CUDA: its entry point around the kernel in gelu.cu.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/gelu_native.h>

namespace at::native {

TORCH_IMPL_FUNC(gelu_out_cuda)(const Tensor&, c10::string_view approximate, const Tensor&) {
  TORCH_CHECK(approximate == "none" || approximate == "tanh",
              "approximate argument must be either none or tanh.");
  GeluKernel(kCUDA, *this, approximate == "tanh" ? GeluType::Tanh : GeluType::None);
}

}  // namespace at::native
