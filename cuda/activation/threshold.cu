// Activation functions with parameters, and gradients of activation functions, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Activation.h>
#include <ATen/native/functors/activation.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace activation_cuda {

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
template <class T>
struct GeluBackward {
  bool tanh;
  __device__ T operator()(T grad, T x) const {
    return tanh ? ufunc::gelu_tanh_backward<T>(grad, x) : ufunc::gelu_backward<T>(grad, x);
  }
};
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

#define AT_DISPATCH_FLOATING(NAME, ...)                                                                \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_FLOATING_TYPES), kHalf, \
                 kBFloat16)

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

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_FLOATING("gelu_backward_cuda", [&] {
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter,
                                                  GeluBackward<scalar_t>{approximate == GeluType::Tanh});
  });
}

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

}  // namespace activation_cuda

REGISTER_CUDA_DISPATCH(threshold_stub, &activation_cuda::threshold_kernel)
REGISTER_CUDA_DISPATCH(hardtanh_backward_stub, &activation_cuda::hardtanh_backward_kernel)
REGISTER_CUDA_DISPATCH(softplus_stub, &activation_cuda::softplus_kernel)
REGISTER_CUDA_DISPATCH(softplus_backward_stub, &activation_cuda::softplus_backward_kernel)
REGISTER_CUDA_DISPATCH(leaky_relu_backward_stub, &activation_cuda::leaky_relu_backward_kernel)
REGISTER_CUDA_DISPATCH(GeluBackwardKernel, &activation_cuda::gelu_backward_kernel)
REGISTER_CUDA_DISPATCH(log_sigmoid_stub, &activation_cuda::log_sigmoid_kernel)
REGISTER_CUDA_DISPATCH(log_sigmoid_buffer_stub, &activation_cuda::log_sigmoid_buffer_kernel)
REGISTER_CUDA_DISPATCH(log_sigmoid_backward_stub, &activation_cuda::log_sigmoid_backward_kernel)

}  // namespace at::native
