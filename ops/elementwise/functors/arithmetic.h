// Arithmetic: add, sub, mul, division, neg, abs, reciprocal. Integers wrap around, bool is
// the logical ring, 16-bit floats compute in float.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// self + alpha * other
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T add(T self, T other, opmath<T> alpha) {
  using W = wrapping<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return self | (alpha & other);
  } else {
    return static_cast<T>(static_cast<W>(self) + static_cast<W>(alpha) * static_cast<W>(other));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T add(T self, T other) {
  using W = wrapping<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return self | other;
  } else {
    return static_cast<T>(static_cast<W>(self) + static_cast<W>(other));
  }
}

// self - alpha * other
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sub(T self, T other, opmath<T> alpha) {
  using W = wrapping<T>;
  return static_cast<T>(static_cast<W>(self) - static_cast<W>(alpha) * static_cast<W>(other));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sub(T self, T other) {
  using W = wrapping<T>;
  return static_cast<T>(static_cast<W>(self) - static_cast<W>(other));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T mul(T self, T other) {
  using W = wrapping<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return self & other;
  } else {
    return static_cast<T>(static_cast<W>(self) * static_cast<W>(other));
  }
}

// self / other for floating and complex T (integers are promoted before they come here).
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T true_divide(T self, T other) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(self) / static_cast<O>(other));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T div(T self, T other) {
  return true_divide<T>(self, other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE by_bits<T> neg(T self) {
  using W = wrapping<T>;
  if constexpr (is_half<T>) {
    return half_of_bits<T>(self.x ^ 0x8000);
  } else if constexpr (is_int<T>) {
    return static_cast<T>(W(0) - static_cast<W>(self));
  } else {
    return static_cast<T>(-static_cast<W>(self));
  }
}

// |self|; the real type for complex T. The lowest integer is unchanged.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE by_bits<real_of<T>> abs(T self) {
  if constexpr (is_half<T>) {
    return half_of_bits<T>(self.x & 0x7fff);
  } else if constexpr (is_complex<T>) {
    return math::hypot(self.real(), self.imag());
  } else if constexpr (std::is_unsigned_v<T>) {  // bool, too
    return self;
  } else if constexpr (std::is_integral_v<T>) {
    return self < 0 ? neg<T>(self) : self;
  } else {
    return static_cast<T>(math::fabs(static_cast<opmath<T>>(self)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T reciprocal(T self) {
  using O = opmath<T>;
  return static_cast<T>(O(1) / static_cast<O>(self));
}

#ifndef __CUDACC__
template <>
inline constexpr std::true_type takes_numbers<"add">{};
template <>
inline constexpr std::true_type takes_numbers<"sub">{};
template <>
inline constexpr std::true_type takes_numbers<"mul">{};
template <>
inline constexpr std::true_type takes_numbers<"true_divide">{};
template <>
inline constexpr bool ignores_sign<"add"> = true;
template <>
inline constexpr bool ignores_sign<"sub"> = true;
template <>
inline constexpr bool ignores_sign<"mul"> = true;
template <>
inline constexpr bool ignores_sign<"neg"> = true;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
