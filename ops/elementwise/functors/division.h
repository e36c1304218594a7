// Rounded divisions, remainders and greatest common divisors. Integers wrap around, 16-bit floats compute in
// float.
#pragma once

#include <ATen/native/elementwise/functors/arithmetic.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/math_fmod.h>
#include <ATen/native/math/types.h>
#include <c10/util/Exception.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE void check_divisor([[maybe_unused]] T other) {
#ifndef __CUDA_ARCH__
  TORCH_CHECK(other != 0, "ZeroDivisionError");
#endif
}

// True when the division would trap: lowest / -1, and on the GPU (which can't throw) anything / 0.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool divides_by_negation(T other) {
  if constexpr (std::is_signed_v<T>) {
    return other == T(-1);
  } else {
    return false;
  }
}

}  // namespace detail

// Division rounded towards zero. Integer division by zero throws on the CPU and is unspecified on the GPU.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T div_trunc(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    detail::check_divisor(other);
    return detail::divides_by_negation(other) ? neg<T>(self) : static_cast<T>(self / other);
  } else {
    using O = opmath<T>;
    return static_cast<T>(math::trunc(static_cast<O>(self) / static_cast<O>(other)));
  }
}

namespace detail {

// floor(a / b) of floats as Python's // has it: consistent with fmod, so that
// a == b * floor_divide(a, b) + remainder(a, b) holds up to rounding. Without branches, for vectorised loops.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O floor_divide(O a, O b) {
  const O rest = math::fmod(a, b), ratio = a / b, exact = (a - rest) / b;
  const O quotient = (rest != O(0)) & ((b < O(0)) != (rest < O(0))) ? exact - O(1) : exact;
  const O down = math::floor(quotient);
  const O whole = quotient - down > O(0.5) ? down + O(1) : down;
  const O finite = quotient == O(0) ? math::copysign(O(0), ratio) : whole;
  return b == O(0) ? ratio : finite;
}

}  // namespace detail

// Division rounded towards minus infinity. Integer division by zero as in div_trunc.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T div_floor(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    detail::check_divisor(other);
    if (detail::divides_by_negation(other)) {
      return neg<T>(self);
    }
    const T quotient = static_cast<T>(self / other);
    const bool inexact = self % other != 0;
    return static_cast<T>(quotient - (inexact & ((self < 0) != (other < 0))));
  } else {
    using O = opmath<T>;
    return static_cast<T>(detail::floor_divide(static_cast<O>(self), static_cast<O>(other)));
  }
}

// self modulo other, with the sign of other.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T remainder(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    detail::check_divisor(other);
    if (detail::divides_by_negation(other)) {
      return T(0);
    }
    const T rest = static_cast<T>(self % other);
    return static_cast<T>(rest != 0 && (rest < 0) != (other < 0) ? rest + other : rest);
  } else {
    using O = opmath<T>;
    const O b = static_cast<O>(other);
    const O rest = math::fmod(static_cast<O>(self), b);
    return static_cast<T>((rest != O(0)) & ((b < O(0)) != (rest < O(0))) ? rest + b : rest);
  }
}

// self modulo other, with the sign of self.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T fmod(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    detail::check_divisor(other);
    return detail::divides_by_negation(other) ? T(0) : static_cast<T>(self % other);
  } else {
    using O = opmath<T>;
    return static_cast<T>(math::fmod(static_cast<O>(self), static_cast<O>(other)));
  }
}

namespace detail {

// The greatest common divisor of the magnitudes, in the unsigned type.
template <class U>
C10_HOST_DEVICE C10_ALWAYS_INLINE U common_divisor(U a, U b) {
  while (a != 0) {
    const U rest = b % a;
    b = a;
    a = rest;
  }
  return b;
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE std::make_unsigned_t<T> magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  return x < T(0) ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
}

}  // namespace detail

// Not negative, except for the lowest integer with itself or zero.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T gcd(T self, T other) {
  return static_cast<T>(detail::common_divisor(detail::magnitude(self), detail::magnitude(other)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lcm(T self, T other) {
  using W = wrapping<T>;
  const T divisor = gcd<T>(self, other);
  if (divisor == T(0)) {
    return T(0);
  }
  const T quotient = detail::divides_by_negation(divisor) ? neg<T>(self) : static_cast<T>(self / divisor);
  const T product = static_cast<T>(static_cast<W>(quotient) * static_cast<W>(other));
  return product < T(0) ? neg<T>(product) : product;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
