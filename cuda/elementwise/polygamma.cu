// polygamma on CUDA.
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/gamma.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cmath>

namespace at::native {
namespace polygamma_cuda {

template <class T>
struct Polygamma {
  int64_t n;
  double factorial;
  __device__ T operator()(T x) const { return ufunc::polygamma<T>(x, n, factorial); }
};

void polygamma_kernel(TensorIteratorBase& iter, int64_t n) {
  const double factorial = std::lgamma(static_cast<double>(n) + 1.0);
  AT_DISPATCH_FLOATING("polygamma_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, Polygamma<scalar_t>{n, factorial}); });
}

}  // namespace polygamma_cuda

REGISTER_CUDA_DISPATCH(polygamma_stub, &polygamma_cuda::polygamma_kernel)

}  // namespace at::native
