// halving::halve on CUDA: a kernel for contiguous float tensors.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/halving_halve_native.h>

namespace at::native {

namespace {

__global__ void halve_kernel(const float* in, float* out, int64_t n) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) out[i] = in[i] / 2;
}

}  // namespace

Tensor halve_cuda(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() == kFloat, "halve: expected a float tensor, got ", self.scalar_type());
  const Tensor input = self.contiguous();
  Tensor result = at::empty_like(input);
  if (input.numel() == 0) return result;
  halve_kernel<<<blocks_for(input.numel()), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      input.const_data_ptr<float>(), result.mutable_data_ptr<float>(), input.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return result;
}

}  // namespace at::native
