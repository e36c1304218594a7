// Max pooling on CUDA.
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/pooling/elements.cuh>

namespace at::native {
namespace max_pool_cuda {

using namespace pooling_cuda;

// The two elements of a window's row.
template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T first, second;
};

// Whether the rows of windows are pairs, each after the other.
template <class T>
bool has_pairs(const Pooling& pooling, const T* input) {
  const PoolAxis& width = pooling.axes[2];
  return !width.adaptive && width.kernel == 2 && width.stride == 2 && width.dilation == 1 &&
         width.padding == 0 && width.input % 2 == 0 && !pooling.channels_last &&
         reinterpret_cast<uintptr_t>(input) % sizeof(Pair<T>) == 0;
}

template <class T>
__global__ void __launch_bounds__(threads)
    maximum_kernel(Pooling pooling, bool in_pairs, const T* input, T* output, int64_t* indices, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    Maximum<T> found(pooling, depth.begin(e.d), height.begin(e.h), width.begin(e.w));
    for (int64_t d = depth.begin(e.d); d < depth.end(e.d); d += depth.dilation) {
      for (int64_t h = height.begin(e.h); h < height.end(e.h); h += height.dilation) {
        if (in_pairs) {
          const int64_t at = (d * height.input + h) * width.input + 2 * e.w;
          const auto pair = *reinterpret_cast<const Pair<T>*>(plane + at);
          found.take(pair.first, at);
          found.take(pair.second, at + 1);
          continue;
        }
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
    const auto* in = input.const_data_ptr<scalar_t>();
    maximum_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, has_pairs(pooling, in), in, output.mutable_data_ptr<scalar_t>(),
        indices.mutable_data_ptr<int64_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace max_pool_cuda

REGISTER_CUDA_DISPATCH(max_pool_stub, &max_pool_cuda::maximum)

}  // namespace at::native
