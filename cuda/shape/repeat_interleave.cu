// repeat_interleave on CUDA: each element of the result finds its index by a binary search of the cumulative
// sum.
#include <ATen/native/cuda/shape/repeat_interleave.h>

#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace repeat_interleave_cuda_kernels {

constexpr int threads = launch_threads;

__global__ void __launch_bounds__(threads)
    check_ends_kernel(const int64_t* ends, int64_t n, int64_t total, c10::cuda::KernelAssertion is_count,
                      c10::cuda::KernelAssertion is_total) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += step) {
    const int64_t count = ends[i] - (i > 0 ? ends[i - 1] : 0);
    is_count(count >= 0, count);
    is_total(i < n - 1 || ends[i] == total, total, ends[i]);
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    write_kernel(const int64_t* ends, int64_t n, T* result, int64_t total) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < total; i += step) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (ends[middle] > i) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    result[i] = static_cast<T>(low);
  }
}

}  // namespace repeat_interleave_cuda_kernels

void write_repeated(const TensorBase& ends, const TensorBase& result) {
  using namespace repeat_interleave_cuda_kernels;
  const int64_t n = ends.numel(), total = result.numel();
  if (n == 0) return;
  const auto* from = ends.const_data_ptr<int64_t>();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  check_ends_kernel<<<blocks_for(n), threads, 0, stream>>>(
      from, n, total, c10::cuda::kernel_assertion("repeat_interleave", "repeats can't be negative, got {}"),
      c10::cuda::kernel_assertion("repeat_interleave", "output_size is {}, but the repeats' sum is {}"));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (total == 0) return;
  if (result.scalar_type() == kInt) {
    auto* to = result.mutable_data_ptr<int32_t>();
    write_kernel<<<blocks_for(total), threads, 0, stream>>>(from, n, to, total);
  } else {
    auto* to = result.mutable_data_ptr<int64_t>();
    write_kernel<<<blocks_for(total), threads, 0, stream>>>(from, n, to, total);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native
