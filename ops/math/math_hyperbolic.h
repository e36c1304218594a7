// Real expm1, hyperbolic functions and their inverses for host and device.
#pragma once

#include <ATen/native/math/host_hyperbolic.h>
#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

#ifdef __CUDA_ARCH__
#define AT_MATH(name) ::name
#else
#define AT_MATH(name) host::name
#endif
#define AT_MATH_UNARY(name)                       \
  template <class F>                              \
  C10_HOST_DEVICE C10_ALWAYS_INLINE F name(F x) { \
    return AT_MATH(name)(x);                      \
  }

AT_MATH_UNARY(expm1)
AT_MATH_UNARY(sinh)
AT_MATH_UNARY(cosh)
AT_MATH_UNARY(asinh)
AT_MATH_UNARY(acosh)
AT_MATH_UNARY(atanh)

#undef AT_MATH
#undef AT_MATH_UNARY

// slope * x where x is at least 0, factor * expm1(scale * x) below.
template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F expm1_below_zero(F x, F scale, F factor, F slope) {
#ifdef __CUDA_ARCH__
  const F below = ::expm1(x * scale) * factor, above = x * slope;
  return x < F(0) ? below : above;
#else
  return host::expm1_below_zero(x, scale, factor, slope);
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
