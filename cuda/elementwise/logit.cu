// logit and its gradient on CUDA.
#include <ATen/OpMathType.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/logarithmic.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

#include <limits>

namespace at::native {
namespace logit_cuda {

template <class T>
struct Logit {
  opmath_type<T> low, high;
  __device__ T operator()(T x) const { return ufunc::logit<T>(x, low, high); }
};

template <class T>
struct LogitBackward {
  opmath_type<T> low, high, outside;
  __device__ T operator()(T grad, T x) const { return ufunc::logit_backward<T>(grad, x, low, high, outside); }
};

void logit_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_cuda", [&] {
    using O = opmath_type<scalar_t>;
    const O low = eps ? static_cast<O>(*eps) : -std::numeric_limits<O>::infinity();
    const O high = eps ? O(1) - low : std::numeric_limits<O>::infinity();
    gpu_elementwise<scalar_t, scalar_t>(iter, Logit<scalar_t>{low, high});
  });
}

void logit_backward_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_backward_cuda", [&] {
    using O = opmath_type<scalar_t>;
    const O low = static_cast<O>(eps.value_or(0.0));
    const O outside = eps ? O(0) : std::numeric_limits<O>::quiet_NaN();
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, LogitBackward<scalar_t>{low, O(1) - low, outside});
  });
}

}  // namespace logit_cuda

REGISTER_CUDA_DISPATCH(logit_stub, &logit_cuda::logit_kernel)
REGISTER_CUDA_DISPATCH(logit_backward_stub, &logit_cuda::logit_backward_kernel)

}  // namespace at::native
