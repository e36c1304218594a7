// Piecewise linear activation functions, and softplus, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/functors/softplus.h>
#include <ATen/native/activation/functors/threshold.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace threshold_cuda {

template <class T>
struct Threshold {
  T limit, value;
  __device__ T operator()(T x, T other) const { return ufunc::threshold<T>(x, other, limit, value); }
};

template <class T>
struct HardtanhBackward {
  opmath_type<T> min, max;
  __device__ T operator()(T grad, T x) const { return ufunc::hardtanh_backward<T>(grad, x, min, max); }
};

template <class T>
struct Softplus {
  opmath_type<T> beta, threshold;
  __device__ T operator()(T x) const { return ufunc::softplus<T>(x, beta, threshold); }
};

template <class T>
struct SoftplusBackward {
  opmath_type<T> beta, threshold;
  __device__ T operator()(T grad, T x) const { return ufunc::softplus_backward<T>(grad, x, beta, threshold); }
};

template <class T>
struct LeakyReluBackward {
  opmath_type<T> slope;
  __device__ T operator()(T x, T grad) const { return ufunc::leaky_relu_backward<T>(x, grad, slope); }
};

void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_V2(iter.common_dtype(), "threshold_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t>(
                       iter, Threshold<scalar_t>{threshold.to<scalar_t>(), value.to<scalar_t>()});
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

void hardtanh_backward_kernel(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  AT_DISPATCH_FLOATING("hardtanh_backward_cuda", [&] {
    using number_t = opmath_type<scalar_t>;
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(
        iter, HardtanhBackward<scalar_t>{min.to<number_t>(), max.to<number_t>()});
  });
}

void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_cuda", [&] {
    using number_t = opmath_type<scalar_t>;
    gpu_elementwise<scalar_t, scalar_t>(iter,
                                        Softplus<scalar_t>{beta.to<number_t>(), threshold.to<number_t>()});
  });
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_backward_cuda", [&] {
    using number_t = opmath_type<scalar_t>;
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(
        iter, SoftplusBackward<scalar_t>{beta.to<number_t>(), threshold.to<number_t>()});
  });
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& negative_slope) {
  AT_DISPATCH_FLOATING("leaky_relu_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(
        iter, LeakyReluBackward<scalar_t>{negative_slope.to<opmath_type<scalar_t>>()});
  });
}

}  // namespace threshold_cuda

REGISTER_CUDA_DISPATCH(threshold_stub, &threshold_cuda::threshold_kernel)
REGISTER_CUDA_DISPATCH(hardtanh_backward_stub, &threshold_cuda::hardtanh_backward_kernel)
REGISTER_CUDA_DISPATCH(softplus_stub, &threshold_cuda::softplus_kernel)
REGISTER_CUDA_DISPATCH(softplus_backward_stub, &threshold_cuda::softplus_backward_kernel)
REGISTER_CUDA_DISPATCH(leaky_relu_backward_stub, &threshold_cuda::leaky_relu_backward_kernel)

}  // namespace at::native
