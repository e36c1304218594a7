// glu, the gradient of its second half, and glu_jvp, on CUDA.
#include <ATen/native/activation/functors/logistic.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace glu_cuda {

template <class T>
struct Glu {
  __device__ T operator()(T first, T second) const { return ufunc::glu<T>(first, second); }
};

template <class T>
struct GluGateBackward {
  __device__ T operator()(T grad, T first, T second) const {
    return ufunc::glu_gate_backward<T>(grad, first, second);
  }
};

template <class T>
struct GluJvp {
  __device__ T operator()(T result, T second, T first_change, T second_change) const {
    return ufunc::glu_jvp<T>(result, second, first_change, second_change);
  }
};

void glu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, Glu<scalar_t>()); });
}

void glu_gate_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_gate_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter, GluGateBackward<scalar_t>());
  });
}

void glu_jvp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_jvp_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t, scalar_t>(iter, GluJvp<scalar_t>());
  });
}

}  // namespace glu_cuda

REGISTER_CUDA_DISPATCH(glu_stub, &glu_cuda::glu_kernel)
REGISTER_CUDA_DISPATCH(glu_gate_backward_stub, &glu_cuda::glu_gate_backward_kernel)
REGISTER_CUDA_DISPATCH(glu_jvp_stub, &glu_cuda::glu_jvp_kernel)

}  // namespace at::native
