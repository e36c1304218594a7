// embedding_renorm_: a block per index.
#include <ATen/native/cuda/embedding/embedding_renorm.h>

#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace embedding_renorm_kernels {

constexpr int threads = 256;

// The maximum over the threads; NaN if any is NaN. A barrier must come before the next call.
__device__ inline double max_block(double value, double* shared) {
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = value;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half && !(shared[t] >= shared[t + half])) {
      shared[t] = isnan(shared[t]) ? shared[t] : shared[t + half];
    }
    __syncthreads();
  }
  return shared[0];
}

// A block per index; the first to claim a row scales it.
template <class T>
__global__ void __launch_bounds__(threads)
    renorm_kernel(T* self, const int64_t* indices, int64_t n, int64_t columns, double max_norm, double p,
                  int* claimed) {
  __shared__ double shared[threads];
  __shared__ bool is_first;
  for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
    if (threadIdx.x == 0) is_first = atomicExch(claimed + indices[i], 1) == 0;
    __syncthreads();
    if (is_first) {
      T* row = self + indices[i] * columns;
      double part = 0;
      for (int64_t j = threadIdx.x; j < columns; j += threads) {
        const double value = fabs(static_cast<double>(row[j]));
        part = isinf(p) ? (value > part || isnan(value) ? value : part)
               : p == 0 ? part + (value != 0)
                        : part + pow(value, p);
      }
      const double whole = isinf(p) ? max_block(part, shared) : sum_block(part, shared);
      const double norm = isinf(p) || p == 0 ? whole : pow(whole, 1 / p);
      const double scale = norm > max_norm ? max_norm / (norm + 1e-7) : 1;
      for (int64_t j = threadIdx.x; j < columns; j += threads) {
        if (scale != 1) row[j] = static_cast<T>(static_cast<double>(row[j]) * scale);
      }
    }
    __syncthreads();
  }
}

}  // namespace embedding_renorm_kernels

using namespace embedding_renorm_kernels;

void renorm_rows_on_device(const TensorBase& self, const TensorBase& indices, double max_norm, double p,
                           const TensorBase& claimed) {
  const int64_t n = indices.numel();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "embedding_renorm_cuda_", [&] {
    renorm_kernel<<<blocks_for(n, 1), threads, 0, stream>>>(
        self.mutable_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(), n, self.size(1), max_norm, p,
        claimed.mutable_data_ptr<int>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
