// prelu, and the gradients of its argument and its weight, on CUDA.
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace prelu_cuda {

template <class T>
struct Prelu {
  __device__ T operator()(T x, T weight) const { return ufunc::prelu<T>(x, weight); }
};

// The gradient is the last operand, as the result gets the layout of the first, the input.
template <class T>
struct PreluBackward {
  __device__ T operator()(T x, T weight, T grad) const { return ufunc::prelu_backward<T>(grad, x, weight); }
};

template <class T>
struct PreluWeightBackward {
  __device__ T operator()(T x, T grad) const { return ufunc::prelu_weight_backward<T>(grad, x); }
};

void prelu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, Prelu<scalar_t>()); });
}

void prelu_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter, PreluBackward<scalar_t>());
  });
}

void prelu_weight_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_weight_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, PreluWeightBackward<scalar_t>());
  });
}

}  // namespace prelu_cuda

REGISTER_CUDA_DISPATCH(prelu_stub, &prelu_cuda::prelu_kernel)
REGISTER_CUDA_DISPATCH(prelu_backward_stub, &prelu_cuda::prelu_backward_kernel)
REGISTER_CUDA_DISPATCH(prelu_weight_backward_stub, &prelu_cuda::prelu_weight_backward_kernel)

}  // namespace at::native
