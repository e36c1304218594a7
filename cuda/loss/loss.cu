// Elementwise parts of losses on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/loss/functors.h>
#include <ATen/native/loss/stubs.h>
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

template <class T>
struct Smooth {
  ufunc::SmoothLoss<opmath_type<T>> loss;
  __device__ T operator()(T x, T target) const { return ufunc::smooth_loss<T>(x, target, loss); }
  __device__ T operator()(T x, T target, T grad) const {
    return ufunc::smooth_loss_backward<T>(x, target, grad, loss);
  }
};
template <class T>
struct BinaryCrossEntropy {
  __device__ T operator()(T x, T target) const { return ufunc::binary_cross_entropy<T>(x, target); }
  __device__ T operator()(T x, T target, T grad) const {
    return ufunc::binary_cross_entropy_backward<T>(x, target, grad);
  }
};

template <class T>
Smooth<T> smooth(const SmoothLossShape& shape) {
  using O = opmath_type<T>;
  return {{static_cast<O>(shape.limit), static_cast<O>(shape.below), static_cast<O>(shape.above)}};
}

void smooth_loss_kernel(TensorIteratorBase& iter, const SmoothLossShape& shape) {
  AT_DISPATCH_V2(iter.common_dtype(), "smooth_l1_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, smooth<scalar_t>(shape));
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void smooth_loss_backward_kernel(TensorIteratorBase& iter, const SmoothLossShape& shape) {
  AT_DISPATCH_V2(iter.common_dtype(), "smooth_l1_backward_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter, smooth<scalar_t>(shape));
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void binary_cross_entropy_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "binary_cross_entropy_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, BinaryCrossEntropy<scalar_t>());
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void binary_cross_entropy_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "binary_cross_entropy_backward_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter,
                                                                           BinaryCrossEntropy<scalar_t>());
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace loss_cuda

REGISTER_CUDA_DISPATCH(mse_stub, &loss_cuda::mse_kernel)
REGISTER_CUDA_DISPATCH(mse_backward_stub, &loss_cuda::mse_backward_kernel)
REGISTER_CUDA_DISPATCH(smooth_loss_stub, &loss_cuda::smooth_loss_kernel)
REGISTER_CUDA_DISPATCH(smooth_loss_backward_stub, &loss_cuda::smooth_loss_backward_kernel)
REGISTER_CUDA_DISPATCH(binary_cross_entropy_stub, &loss_cuda::binary_cross_entropy_kernel)
REGISTER_CUDA_DISPATCH(binary_cross_entropy_backward_stub, &loss_cuda::binary_cross_entropy_backward_kernel)

}  // namespace at::native
