// log_sigmoid, its buffer and its gradient on CUDA.
#include <ATen/native/activation/functors/softplus.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace log_sigmoid_cuda {

template <class T>
struct LogSigmoid {
  __device__ T operator()(T x) const { return ufunc::log_sigmoid<T>(x); }
};

template <class T>
struct LogSigmoidBuffer {
  __device__ T operator()(T x) const { return ufunc::log_sigmoid_buffer<T>(x); }
};

template <class T>
struct LogSigmoidBackward {
  __device__ T operator()(T grad, T x) const { return ufunc::log_sigmoid_backward<T>(grad, x); }
};

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, LogSigmoid<scalar_t>()); });
}

void log_sigmoid_buffer_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, LogSigmoidBuffer<scalar_t>()); });
}

void log_sigmoid_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, LogSigmoidBackward<scalar_t>());
  });
}

}  // namespace log_sigmoid_cuda

REGISTER_CUDA_DISPATCH(log_sigmoid_stub, &log_sigmoid_cuda::log_sigmoid_kernel)
REGISTER_CUDA_DISPATCH(log_sigmoid_buffer_stub, &log_sigmoid_cuda::log_sigmoid_buffer_kernel)
REGISTER_CUDA_DISPATCH(log_sigmoid_backward_stub, &log_sigmoid_cuda::log_sigmoid_backward_kernel)

}  // namespace at::native
