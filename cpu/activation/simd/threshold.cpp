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

// Loops by the type that is computed in: the 16-bit floats share those of float.
template <class O>
constexpr auto threshold_of =
    [](O x, O other, O limit, O replacement) { return ufunc::threshold<O>(x, other, limit, replacement); };
template <class O>
constexpr auto hardtanh_backward_of =
    [](O grad, O x, O low, O high) { return ufunc::hardtanh_backward<O>(grad, x, low, high); };
template <class O>
constexpr auto softplus_of = [](O x, O beta, O limit)
                                 C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::softplus<O>(x, beta, limit); };
template <class O>
constexpr auto softplus_backward_of = [](O grad, O x, O beta, O limit) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::softplus_backward<O>(grad, x, beta, limit);
};
template <class O>
constexpr auto leaky_relu_backward_of =
    [](O x, O grad, O slope) { return ufunc::leaky_relu_backward<O>(x, grad, slope); };
template <class O>
constexpr auto gelu_backward_of =
    [](O grad, O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_backward<O>(grad, x); };
template <class O>
constexpr auto gelu_tanh_backward_of =
    [](O grad, O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_tanh_backward<O>(grad, x); };
template <class O>
constexpr auto log_sigmoid_of = [](O x, O buffer)
                                    C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::log_sigmoid<O>(x, buffer); };
template <class O>
constexpr auto log_sigmoid_buffer_of =
    [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::log_sigmoid_buffer<O>(x); };
template <class O>
constexpr auto log_sigmoid_backward_of = [](O grad, O x, O buffer) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::log_sigmoid_backward<O>(grad, x, buffer);
};

void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_V2(iter.common_dtype(), "threshold_cpu", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   // Compared as the dtype has them.
                   const O limit = threshold.to<scalar_t>(), replacement = value.to<scalar_t>();
                   cpu_kernel_computed<scalar_t>(iter, threshold_of<O>, limit, replacement);
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

void hardtanh_backward_kernel(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  AT_DISPATCH_FLOATING("hardtanh_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, hardtanh_backward_of<O>, min.to<O>(), max.to<O>());
  });
}

void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, softplus_of<O>, beta.to<O>(), threshold.to<O>());
  });
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  AT_DISPATCH_FLOATING("softplus_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, softplus_backward_of<O>, beta.to<O>(), threshold.to<O>());
  });
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& negative_slope) {
  AT_DISPATCH_FLOATING("leaky_relu_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, leaky_relu_backward_of<O>, negative_slope.to<O>());
  });
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_FLOATING("gelu_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    if (approximate == GeluType::Tanh) {
      cpu_kernel_computed<scalar_t>(iter, gelu_tanh_backward_of<O>);
    } else {
      cpu_kernel_computed<scalar_t>(iter, gelu_backward_of<O>);
    }
  });
}

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, log_sigmoid_of<opmath_type<scalar_t>>); });
}

void log_sigmoid_buffer_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, log_sigmoid_buffer_of<opmath_type<scalar_t>>);
  });
}

void log_sigmoid_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, log_sigmoid_backward_of<opmath_type<scalar_t>>);
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
