// Max pooling on CUDA.
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/pooling/elements.cuh>

namespace at::native {
namespace max_pool_cuda {

using namespace pooling_cuda;

template <class T>
__global__ void __launch_bounds__(threads)
    maximum_kernel(Pooling pooling, const T* input, T* output, int64_t* indices, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    Maximum<T> found(pooling, depth.begin(e.d), height.begin(e.h), width.begin(e.w));
    for (int64_t d = depth.begin(e.d); d < depth.end(e.d); d += depth.dilation) {
      for (int64_t h = height.begin(e.h); h < height.end(e.h); h += height.dilation) {
        for (int64_t w = width.begin(e.w); w < width.end(e.w); w += width.dilation) {
          const int64_t at = (d * height.input + h) * width.input + w;
          found.take(plane[at * step], at);
        }
      }
    }
    output[i] = found.value;
    indices[i] = found.place;
  }
}

void maximum(const Pooling& pooling, const TensorBase& input, const TensorBase& output,
             const TensorBase& indices) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "max_pool_cuda", [&] {
    const int64_t n = output.numel();
    maximum_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(),
        indices.mutable_data_ptr<int64_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace max_pool_cuda

REGISTER_CUDA_DISPATCH(max_pool_stub, &max_pool_cuda::maximum)

}  // namespace at::native
