// pow with a tensor or a scalar as the exponent.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/functors/power.h>
#include <ATen/native/elementwise/functors/transcendental.h>
#include <ATen/native/elementwise/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto pow_of = [](O base, O exponent)
                            C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::pow<O>(base, exponent); };
template <class O>
constexpr auto square_of = [](O x) { return ufunc::mul<O>(x, x); };
template <class O>
constexpr auto cube_of = [](O x) { return ufunc::cube<O>(x); };
template <class O>
constexpr auto sqrt_of = [](O x) { return ufunc::sqrt<O>(x); };
template <class O>
constexpr auto rsqrt_of = [](O x) { return ufunc::rsqrt<O>(x); };
template <class O>
constexpr auto reciprocal_of = [](O x) { return ufunc::reciprocal<O>(x); };
template <class O>
constexpr auto reciprocal_square_of = [](O x) { return ufunc::reciprocal<O>(ufunc::mul<O>(x, x)); };

void pow_tensor_tensor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "pow_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, pow_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

// Small exponents are products, roots and reciprocals; true when `exponent` is one of them.
template <class T>
bool pow_by_products(TensorIteratorBase& iter, double exponent) {
  using O = opmath_type<T>;
  if (exponent == 2) {
    cpu_kernel_computed<T>(iter, square_of<O>);
  } else if (exponent == 3) {
    cpu_kernel_computed<T>(iter, cube_of<O>);
  } else if constexpr (!std::is_integral_v<T>) {
    if (exponent == 0.5) {
      cpu_kernel_computed<T>(iter, sqrt_of<O>);
    } else if (exponent == -0.5) {
      cpu_kernel_computed<T>(iter, rsqrt_of<O>);
    } else if (exponent == -1) {
      cpu_kernel_computed<T>(iter, reciprocal_of<O>);
    } else if (exponent == -2) {
      cpu_kernel_computed<T>(iter, reciprocal_square_of<O>);
    } else {
      return false;
    }
  } else {
    return false;
  }
  return true;
}

void pow_tensor_scalar_kernel(TensorIteratorBase& iter, const Scalar& exponent_scalar) {
  AT_DISPATCH_V2(
      iter.common_dtype(), "pow_cpu", AT_WRAP([&] {
        if (!exponent_scalar.isComplex() && pow_by_products<scalar_t>(iter, exponent_scalar.to<double>())) {
          return;
        }
        using O = at::opmath_type<scalar_t>;
        cpu_kernel_computed<scalar_t>(iter, pow_of<O>, exponent_scalar.to<O>());
      }),
      AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pow_tensor_tensor_stub, &pow_tensor_tensor_kernel)
REGISTER_DISPATCH(pow_tensor_scalar_stub, &pow_tensor_scalar_kernel)

}  // namespace at::native
