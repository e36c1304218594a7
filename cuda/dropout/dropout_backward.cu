// The gradient of dropout on CUDA.
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/dropout/stubs.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace dropout_cuda {

template <class T>
struct Backward {
  opmath_type<T> scale;
  __device__ T operator()(T grad, bool kept) const {
    using O = opmath_type<T>;
    return static_cast<T>(static_cast<O>(grad) * (kept ? scale : O(0)));
  }
};

void backward_kernel(TensorIteratorBase& iter, const Scalar& scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(0), "native_dropout_backward", [&] {
    gpu_elementwise<scalar_t, scalar_t, bool>(iter, Backward<scalar_t>{scale.to<opmath_type<scalar_t>>()});
  });
}

}  // namespace dropout_cuda

REGISTER_CUDA_DISPATCH(dropout_backward_stub, &dropout_cuda::backward_kernel)

}  // namespace at::native
