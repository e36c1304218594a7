// tril and triu on CUDA: a thread per element.
#include <ATen/core/TensorBase.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/shape/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>

namespace at::native {
namespace triangle_cuda {

constexpr int threads = 256;

template <class T>
__global__ void __launch_bounds__(threads) triangle_elements(int64_t n, T* out, const T* in, int64_t rows,
                                                             int64_t columns, int64_t diagonal, bool upper) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += step) {
    const int64_t distance = i % columns - i / columns % rows;
    const bool kept = upper ? distance >= diagonal : distance <= diagonal;
    out[i] = kept ? in[i] : T{};
  }
}

void triangle_kernel(const TensorBase& result, const TensorBase& self, int64_t diagonal, bool upper) {
  const int64_t rows = self.size(-2), columns = self.size(-1), n = self.numel();
  with_opaque_type(static_cast<int64_t>(self.itemsize()), [&]<class T>(T) {
    triangle_elements<T><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        n, static_cast<T*>(result.mutable_data_ptr()), static_cast<const T*>(self.const_data_ptr()), rows,
        columns, std::clamp(diagonal, -rows, columns), upper);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace triangle_cuda

REGISTER_CUDA_DISPATCH(triangle_stub, &triangle_cuda::triangle_kernel)

}  // namespace at::native
