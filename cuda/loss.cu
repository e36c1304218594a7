// Elementwise parts of losses on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Loss.h>
#include <ATen/native/functors/combine.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace loss_cuda {

template <class T>
struct SquaredDifference {
  __device__ T operator()(T x, T target) const { return ufunc::squared_difference<T>(x, target); }
};
template <class T>
struct SquaredDifferenceBackward {
  opmath_type<T> factor;
  __device__ T operator()(T x, T target, T grad) const {
    return ufunc::squared_difference_backward<T>(x, target, grad, factor);
  }
};

void mse_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "mse_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, SquaredDifference<scalar_t>());
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void mse_backward_kernel(TensorIteratorBase& iter, const Scalar& factor) {
  AT_DISPATCH_V2(iter.common_dtype(), "mse_backward_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(
                       iter, SquaredDifferenceBackward<scalar_t>{factor.to<opmath_type<scalar_t>>()});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace loss_cuda

REGISTER_CUDA_DISPATCH(mse_stub, &loss_cuda::mse_kernel)
REGISTER_CUDA_DISPATCH(mse_backward_stub, &loss_cuda::mse_backward_kernel)

}  // namespace at::native
