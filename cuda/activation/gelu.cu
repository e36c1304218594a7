// gelu and its gradient on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/activation/functors/gelu.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace gelu_cuda {

template <class T>
struct Gelu {
  bool tanh;
  __device__ T operator()(T x) const { return tanh ? ufunc::gelu_tanh<T>(x) : ufunc::gelu<T>(x); }
};

template <class T>
struct GeluBackward {
  bool tanh;
  __device__ T operator()(T grad, T x) const {
    return tanh ? ufunc::gelu_tanh_backward<T>(grad, x) : ufunc::gelu_backward<T>(grad, x);
  }
};

void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_V2(iter.common_dtype(), "gelu_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t>(iter, Gelu<scalar_t>{approximate == GeluType::Tanh});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_FLOATING("gelu_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter,
                                                  GeluBackward<scalar_t>{approximate == GeluType::Tanh});
  });
}

}  // namespace gelu_cuda

REGISTER_CUDA_DISPATCH(GeluKernel, &gelu_cuda::gelu_kernel)
REGISTER_CUDA_DISPATCH(GeluBackwardKernel, &gelu_cuda::gelu_backward_kernel)

}  // namespace at::native
