// The gradients of elu and mish, and hardswish with its gradient, on CUDA.
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/logistic.h>
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/functors/threshold.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace elu_cuda {

template <class T>
struct EluBackward {
  opmath_type<T> alpha, scale, input_scale;
  bool is_result;
  __device__ T operator()(T grad, T x) const {
    return ufunc::elu_backward<T>(grad, x, alpha, scale, input_scale, is_result);
  }
};

template <class T>
struct Hardswish {
  __device__ T operator()(T x) const { return ufunc::hardswish<T>(x); }
};

template <class T>
struct HardswishBackward {
  __device__ T operator()(T grad, T x) const { return ufunc::hardswish_backward<T>(grad, x); }
};

template <class T>
struct MishBackward {
  __device__ T operator()(T grad, T x) const { return ufunc::mish_backward<T>(grad, x); }
};

void hardswish_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, Hardswish<scalar_t>()); });
}

void hardswish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, HardswishBackward<scalar_t>());
  });
}

void mish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("mish_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, MishBackward<scalar_t>());
  });
}

void elu_backward_kernel(TensorIteratorBase& iter, const EluScales& by) {
  AT_DISPATCH_FLOATING("elu_backward_cuda", [&] {
    using O = opmath_type<scalar_t>;
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(
        iter,
        EluBackward<scalar_t>{by.alpha.to<O>(), by.scale.to<O>(), by.input_scale.to<O>(), by.is_result});
  });
}

}  // namespace elu_cuda

REGISTER_CUDA_DISPATCH(elu_backward_stub, &elu_cuda::elu_backward_kernel)
REGISTER_CUDA_DISPATCH(hardswish_stub, &elu_cuda::hardswish_kernel)
REGISTER_CUDA_DISPATCH(hardswish_backward_stub, &elu_cuda::hardswish_backward_kernel)
REGISTER_CUDA_DISPATCH(mish_backward_stub, &elu_cuda::mish_backward_kernel)

}  // namespace at::native
