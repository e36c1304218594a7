// Average pooling and its gradients on CUDA.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/pooling/elements.cuh>

namespace at::native {
namespace avg_pool_cuda {

using namespace pooling_cuda;

template <class A>
__device__ A divisor_of(const Pooling& pooling, int64_t d, int64_t h, int64_t w) {
  if (pooling.divisor != 0) return static_cast<A>(pooling.divisor);
  const bool padding = pooling.count_include_pad;
  return static_cast<A>(pooling.axes[0].count(d, padding)) *
         static_cast<A>(pooling.axes[1].count(h, padding)) *
         static_cast<A>(pooling.axes[2].count(w, padding));
}

template <class T>
__global__ void __launch_bounds__(threads)
    average_kernel(Pooling pooling, const T* input, T* output, int64_t n) {
  using A = at::acc_type<T, true>;
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    A sum = A(0);
    bool empty = true;
    for (int64_t d = depth.begin(e.d); d < depth.end(e.d); ++d) {
      for (int64_t h = height.begin(e.h); h < height.end(e.h); ++h) {
        for (int64_t w = width.begin(e.w); w < width.end(e.w); ++w) {
          sum += static_cast<A>(plane[((d * height.input + h) * width.input + w) * step]);
          empty = false;
        }
      }
    }
    output[i] = empty ? T(0) : static_cast<T>(sum / divisor_of<A>(pooling, e.d, e.h, e.w));
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    average_backward_kernel(Pooling pooling, const T* grad, T* out, int64_t n) {
  using A = at::acc_type<T, true>;
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = input_element(i, pooling);
    const T* plane = grad + e.first(pooling, pooling.output_size());
    A sum = A(0);
    for (int64_t d = depth.first_over(e.d); d < depth.last_over(e.d); ++d) {
      for (int64_t h = height.first_over(e.h); h < height.last_over(e.h); ++h) {
        for (int64_t w = width.first_over(e.w); w < width.last_over(e.w); ++w) {
          const int64_t at = (d * height.output + h) * width.output + w;
          sum += static_cast<A>(plane[at * step]) / divisor_of<A>(pooling, d, h, w);
        }
      }
    }
    out[i] = static_cast<T>(sum);
  }
}

void average(const Pooling& pooling, const TensorBase& input, const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "avg_pool_cuda", [&] {
    const int64_t n = output.numel();
    average_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void average_backward(const Pooling& pooling, const TensorBase& grad, const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "avg_pool_backward_cuda", [&] {
    const int64_t n = grad_input.numel();
    average_backward_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, grad.const_data_ptr<scalar_t>(), grad_input.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace avg_pool_cuda

REGISTER_CUDA_DISPATCH(avg_pool_stub, &avg_pool_cuda::average)
REGISTER_CUDA_DISPATCH(avg_pool_backward_stub, &avg_pool_cuda::average_backward)

}  // namespace at::native
