// Activation functions with parameters, and gradients of activation functions.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Activation.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/activation.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

#define AT_DISPATCH_FLOATING(NAME, ...)                                                                \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_FLOATING_TYPES), kHalf, \
                 kBFloat16)

void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_V2(iter.common_dtype(), "threshold_cpu", AT_WRAP([&] {
                   cpu_kernel_with_numbers(
                       iter,
                       [](scalar_t x, scalar_t other, scalar_t limit, scalar_t replacement) {
                         return ufunc::threshold<scalar_t>(x, other, limit, replacement);
                       },
                       threshold.to<scalar_t>(), value.to<scalar_t>());
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

void hardtanh_backward_kernel(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  AT_DISPATCH_FLOATING("hardtanh_backward_cpu", [&] {
    using number_t = opmath_type<scalar_t>;
    cpu_kernel_with_numbers(
        iter,
        [](scalar_t grad, scalar_t x, number_t low, number_t high) {
          return ufunc::hardtanh_backward<scalar_t>(grad, x, low, high);
        },
        min.to<number_t>(), max.to<number_t>());
  });
}

void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_cpu", [&] {
    using number_t = opmath_type<scalar_t>;
    cpu_kernel_with_numbers(
        iter,
        [](scalar_t x, number_t factor, number_t limit) {
          return ufunc::softplus<scalar_t>(x, factor, limit);
        },
        beta.to<number_t>(), threshold.to<number_t>());
  });
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_backward_cpu", [&] {
    using number_t = opmath_type<scalar_t>;
    cpu_kernel_with_numbers(
        iter,
        [](scalar_t grad, scalar_t x, number_t factor, number_t limit) {
          return ufunc::softplus_backward<scalar_t>(grad, x, factor, limit);
        },
        beta.to<number_t>(), threshold.to<number_t>());
  });
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& negative_slope) {
  AT_DISPATCH_FLOATING("leaky_relu_backward_cpu", [&] {
    using number_t = opmath_type<scalar_t>;
    cpu_kernel_with_numbers(
        iter,
        [](scalar_t x, scalar_t grad, number_t slope) {
          return ufunc::leaky_relu_backward<scalar_t>(x, grad, slope);
        },
        negative_slope.to<number_t>());
  });
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_FLOATING("gelu_backward_cpu", [&] {
    if (approximate == GeluType::Tanh) {
      cpu_kernel(iter,
                 [](scalar_t grad, scalar_t x) { return ufunc::gelu_tanh_backward<scalar_t>(grad, x); });
    } else {
      cpu_kernel(iter, [](scalar_t grad, scalar_t x) { return ufunc::gelu_backward<scalar_t>(grad, x); });
    }
  });
}

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu", [&] {
    cpu_kernel(iter, [](scalar_t x, scalar_t buffer) { return ufunc::log_sigmoid<scalar_t>(x, buffer); });
  });
}

void log_sigmoid_buffer_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu", [&] {
    cpu_kernel(iter, [](scalar_t x) { return ufunc::log_sigmoid_buffer<scalar_t>(x); });
  });
}

void log_sigmoid_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_backward_cpu", [&] {
    cpu_kernel(iter, [](scalar_t grad, scalar_t x, scalar_t buffer) {
      return ufunc::log_sigmoid_backward<scalar_t>(grad, x, buffer);
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(threshold_stub, &threshold_kernel)
REGISTER_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_kernel)
REGISTER_DISPATCH(softplus_stub, &softplus_kernel)
REGISTER_DISPATCH(softplus_backward_stub, &softplus_backward_kernel)
REGISTER_DISPATCH(leaky_relu_backward_stub, &leaky_relu_backward_kernel)
REGISTER_DISPATCH(GeluBackwardKernel, &gelu_backward_kernel)
REGISTER_DISPATCH(log_sigmoid_stub, &log_sigmoid_kernel)
REGISTER_DISPATCH(log_sigmoid_buffer_stub, &log_sigmoid_buffer_kernel)
REGISTER_DISPATCH(log_sigmoid_backward_stub, &log_sigmoid_backward_kernel)

}  // namespace at::native
