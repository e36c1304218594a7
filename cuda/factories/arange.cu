// arange over contiguous memory of a device.
#include <ATen/native/cuda/factories/arange.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace arange_cuda {

template <class T, class A>
__global__ void __launch_bounds__(launch_threads) arange_kernel(T* out, int64_t n, A start, A step) {
  const int64_t stride = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < n; i += stride) {
    out[i] = static_cast<T>(start + step * static_cast<A>(i));
  }
}

}  // namespace arange_cuda

void arange_on_device(const TensorBase& out, const c10::Scalar& start, const c10::Scalar& step) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, out.scalar_type(), "arange_cuda", [&] {
    using acc_t = acc_type<scalar_t, false>;
    // Unsigned arithmetic for integers: it wraps around.
    using A = std::conditional_t<std::is_integral_v<scalar_t>, uint64_t, acc_t>;
    arange_cuda::arange_kernel<scalar_t, A>
        <<<blocks_for(out.numel()), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
            out.mutable_data_ptr<scalar_t>(), out.numel(), static_cast<A>(start.to<acc_t>()),
            static_cast<A>(step.to<acc_t>()));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
