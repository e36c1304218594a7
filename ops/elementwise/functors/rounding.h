// Rounding to integers; integer operands are returned unchanged.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T floor(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::floor(static_cast<opmath<T>>(self)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T ceil(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::ceil(static_cast<opmath<T>>(self)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T trunc(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::trunc(static_cast<opmath<T>>(self)));
  }
}

// To the nearest, halves to even.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T round(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::rint(static_cast<opmath<T>>(self)));
  }
}

// To a multiple of 10^-decimals; `power` is 10^|decimals|.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T round_decimals(T self, opmath<T> power, bool to_tens) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  const O scaled = to_tens ? x / power : x * power, whole = math::rint(scaled);
  return static_cast<T>(to_tens ? whole * power : whole / power);
}

// The fractional part, with the sign of self.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T frac(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>(x - math::trunc(x));
}

#ifndef __CUDACC__
template <>
inline constexpr bool ignores_sign<"floor"> = true;
template <>
inline constexpr bool ignores_sign<"ceil"> = true;
template <>
inline constexpr bool ignores_sign<"trunc"> = true;
template <>
inline constexpr bool ignores_sign<"round"> = true;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
