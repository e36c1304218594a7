// The one value of a CUDA tensor.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <ATen/ops/_local_scalar_dense_native.h>

namespace at::native {

Scalar _local_scalar_dense_cuda(const Tensor& self) {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  alignas(16) char value[16];
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream(self.device().index());
  C10_CUDA_CHECK(
      cudaMemcpyAsync(value, self.const_data_ptr(), self.itemsize(), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  return AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, self.scalar_type(),
                                                "_local_scalar_dense_cuda",
                                                [&] { return Scalar(*reinterpret_cast<scalar_t*>(value)); });
}

}  // namespace at::native
