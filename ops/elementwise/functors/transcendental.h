// Roots, exponentials, logarithms and hyperbolic tangent of floating and complex numbers.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sqrt(T self) {
  return static_cast<T>(math::sqrt(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T rsqrt(T self) {
  using O = opmath<T>;
  return static_cast<T>(O(1) / math::sqrt(static_cast<O>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T exp(T self) {
  return static_cast<T>(math::exp(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log(T self) {
  return static_cast<T>(math::log(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T tanh(T self) {
  return static_cast<T>(math::tanh(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T exp2(T self) {
  return static_cast<T>(math::exp2(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log1p(T self) {
  return static_cast<T>(math::log1p(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log2(T self) {
  return static_cast<T>(math::log2(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log10(T self) {
  return static_cast<T>(math::log10(static_cast<opmath<T>>(self)));
}

#ifdef AT_HAS_WIDE_MATH
template <>
inline constexpr std::true_type takes_registers<"sqrt">{};
template <>
inline constexpr std::true_type takes_registers<"exp">{};
template <>
inline constexpr std::true_type takes_registers<"log">{};
template <>
inline constexpr std::true_type takes_registers<"log2">{};
template <>
inline constexpr std::true_type takes_registers<"log10">{};
template <>
inline constexpr std::true_type takes_registers<"tanh">{};
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
