// pow with a tensor or a number as the exponent.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/power.h>
#include <ATen/native/functors/transcendental.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void pow_tensor_tensor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "pow_cpu", AT_WRAP([&] {
                   cpu_kernel(iter, [](scalar_t base, scalar_t exponent) {
                     return ufunc::pow<scalar_t>(base, exponent);
                   });
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

// Small exponents are products, roots and reciprocals; true when `exponent` is one of them.
template <class T>
bool pow_by_products(TensorIteratorBase& iter, double exponent) {
  if (exponent == 2) {
    cpu_kernel(iter, [](T x) { return ufunc::mul<T>(x, x); });
  } else if (exponent == 3) {
    cpu_kernel(iter, [](T x) { return ufunc::cube<T>(x); });
  } else if constexpr (!std::is_integral_v<T>) {
    if (exponent == 0.5) {
      cpu_kernel(iter, [](T x) { return ufunc::sqrt<T>(x); });
    } else if (exponent == -0.5) {
      cpu_kernel(iter, [](T x) { return ufunc::rsqrt<T>(x); });
    } else if (exponent == -1) {
      cpu_kernel(iter, [](T x) { return ufunc::reciprocal<T>(x); });
    } else if (exponent == -2) {
      cpu_kernel(iter, [](T x) { return ufunc::reciprocal<T>(ufunc::mul<T>(x, x)); });
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
        const auto pow = [](scalar_t base, O exponent) {
          return static_cast<scalar_t>(ufunc::pow<O>(static_cast<O>(base), exponent));
        };
        cpu_kernel_with_numbers(iter, pow, exponent_scalar.to<O>());
      }),
      AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pow_tensor_tensor_stub, &pow_tensor_tensor_kernel)
REGISTER_DISPATCH(pow_tensor_scalar_stub, &pow_tensor_scalar_kernel)

}  // namespace at::native
