// Piecewise linear activation functions, and softplus.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/functors/softplus.h>
#include <ATen/native/activation/functors/threshold.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
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

void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_V2(iter.common_dtype(), "threshold_cpu", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   const O limit = threshold.to<O>(), replacement = value.to<scalar_t>();
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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(threshold_stub, &threshold_kernel)
REGISTER_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_kernel)
REGISTER_DISPATCH(softplus_stub, &softplus_kernel)
REGISTER_DISPATCH(softplus_backward_stub, &softplus_backward_kernel)
REGISTER_DISPATCH(leaky_relu_backward_stub, &leaky_relu_backward_kernel)

}  // namespace at::native
