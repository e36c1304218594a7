// Gradients are unscaled, and their scale is updated, on CUDA.
#include <ATen/native/cuda/optimizer/steps.h>

#include <ATen/Dispatch.h>
#include <ATen/native/optimizer/arithmetic.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/MultiTensor.cuh>

namespace at::native {
namespace amp_cuda {

using namespace multi_tensor;

template <class T>
__global__ void __launch_bounds__(threads)
    unscale_kernel(const __grid_constant__ Items<1> items, float* found_inf, const float* inv_scale) {
  using O = ufunc::opmath<T>;
  const Chunk<T, 1> chunk(items, blockIdx.x);
  const auto factor = static_cast<O>(*inv_scale);
  bool finite = true;
  for_each_element(chunk, 1, 1, [&](O(&values)[1]) {
    finite = finite && optimizer::is_finite(values[0]);
    values[0] *= factor;
  });
  // One write of a warp: the gradients of an overflow may all be infinite.
  const bool is_first = threadIdx.x % 32 == 0;
  if (__any_sync(0xffffffffu, !finite) && is_first) atomicExch(found_inf, 1.0f);
}

__global__ void update_kernel(float* scale, int* growth_tracker, const float* found_inf,
                              optimizer::ScaleUpdate update) {
  update(*scale, *growth_tracker, *found_inf);
}

}  // namespace amp_cuda

using namespace amp_cuda;

void amp_unscale_on_device(const StepItems& all, float* found_inf, const float* inv_scale) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const auto describe = [&](size_t i) { return Item<1>{{all.items[i].data[0]}, all.items[i].numel}; };
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, all.dtype, "amp_unscale_cuda", [&] {
    in_launches<1>(all.items.size(), describe, [&](const Items<1>& items) {
      unscale_kernel<scalar_t><<<items.blocks(), threads, 0, stream>>>(items, found_inf, inv_scale);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void amp_update_scale_on_device(float* scale, int* growth_tracker, const float* found_inf,
                                double growth_factor, double backoff_factor, int64_t growth_interval) {
  update_kernel<<<1, 1, 0, c10::cuda::getCurrentCUDAStream()>>>(
      scale, growth_tracker, found_inf,
      optimizer::ScaleUpdate{growth_factor, backoff_factor, growth_interval});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native
