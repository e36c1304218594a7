// pow and hypot.
#pragma once

#include <ATen/native/elementwise/functors/arithmetic.h>
#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// base^exponent by squaring, wrapping around. A negative exponent gives the truncated reciprocal:
// 1 for base 1, +-1 for base -1, and 0 otherwise.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      const T sign = exponent % 2 != 0 ? T(-1) : T(1);
      return base == T(1) ? T(1) : base == T(-1) ? sign : T(0);
    }
  }
  using W = wrapping<T>;
  W result = 1, square = static_cast<W>(base);
  for (W rest = static_cast<W>(exponent); rest != 0; rest >>= 1) {
    result = rest & 1 ? result * square : result;
    square *= square;
  }
  return static_cast<T>(result);
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T pow(T self, T exponent) {
  if constexpr (std::is_same_v<T, bool>) {
    return self | !exponent;
  } else if constexpr (std::is_integral_v<T>) {
    return detail::integer_power(self, exponent);
  } else {
    using O = opmath<T>;
    return static_cast<T>(math::pow(static_cast<O>(self), static_cast<O>(exponent)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T cube(T self) {
  return mul<T>(mul<T>(self, self), self);
}

// sqrt(self^2 + other^2), without overflow.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hypot(T self, T other) {
  using O = opmath<T>;
  return static_cast<T>(math::hypot(static_cast<O>(self), static_cast<O>(other)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
