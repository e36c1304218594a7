// gelu and its gradient.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/gelu.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class T>  // the 16-bit floats have a shorter polynomial
constexpr auto gelu_of = [](opmath_type<T> x)
                             C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_to_digits<T>(x); };
template <class O>
constexpr auto gelu_tanh_of = [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_tanh<O>(x); };
template <class O>
constexpr auto gelu_backward_of =
    [](O grad, O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_backward<O>(grad, x); };
template <class O>
constexpr auto gelu_tanh_backward_of =
    [](O grad, O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_tanh_backward<O>(grad, x); };

void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_V2(iter.common_dtype(), "gelu_cpu", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   if (approximate == GeluType::Tanh) {
                     cpu_kernel_computed<scalar_t>(iter, gelu_tanh_of<O>);
                   } else {
                     cpu_kernel_computed<scalar_t>(iter, gelu_of<scalar_t>);
                   }
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(GeluKernel, &gelu_kernel)
REGISTER_DISPATCH(GeluBackwardKernel, &gelu_backward_kernel)

}  // namespace at::native
