// Comparisons (bool results), extrema, clamp and where. NaN propagates through the extrema.
#pragma once

#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool eq(T self, T other) {
  return static_cast<opmath<T>>(self) == static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool ne(T self, T other) {
  return static_cast<opmath<T>>(self) != static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool lt(T self, T other) {
  return static_cast<opmath<T>>(self) < static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool le(T self, T other) {
  return static_cast<opmath<T>>(self) <= static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool gt(T self, T other) {
  return static_cast<opmath<T>>(self) > static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool ge(T self, T other) {
  return static_cast<opmath<T>>(self) >= static_cast<opmath<T>>(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool isnan(T self) {
  if constexpr (is_complex<T>) {
    return (self.real() != self.real()) | (self.imag() != self.imag());
  } else {
    const opmath<T> x = self;
    return x != x;
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool isinf(T self) {
  if constexpr (is_complex<T>) {
    return isinf(self.real()) | isinf(self.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    const opmath<T> x = self;
    return (x == x) & (x - x != opmath<T>(0));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool isfinite(T self) {
  if constexpr (is_complex<T>) {
    return isfinite(self.real()) & isfinite(self.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    const opmath<T> x = self;
    return x - x == opmath<T>(0);
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool isposinf(T self) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return isinf<T>(self) & (static_cast<opmath<T>>(self) > opmath<T>(0));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool isneginf(T self) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return isinf<T>(self) & (static_cast<opmath<T>>(self) < opmath<T>(0));
  }
}

// The larger of two; NaN if one is NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T maximum(T self, T other) {
  const opmath<T> a = self, b = other;
  if constexpr (std::is_same_v<T, bool>) {
    return a | b;
  } else if constexpr (std::is_integral_v<T>) {
    return a > b ? self : other;
  } else {
    return static_cast<T>((a > b) | (a != a) ? a : b);
  }
}

// The smaller of two; NaN if one is NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T minimum(T self, T other) {
  const opmath<T> a = self, b = other;
  if constexpr (std::is_same_v<T, bool>) {
    return a & b;
  } else if constexpr (std::is_integral_v<T>) {
    return a < b ? self : other;
  } else {
    return static_cast<T>((a < b) | (a != a) ? a : b);
  }
}

// fmax and fmin: the other operand where one is NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T fmax(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    return maximum<T>(self, other);
  } else {
    const opmath<T> a = self, b = other;
    return (b > a) | (a != a) ? other : self;
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T fmin(T self, T other) {
  if constexpr (std::is_integral_v<T>) {
    return minimum<T>(self, other);
  } else {
    const opmath<T> a = self, b = other;
    return (b < a) | (a != a) ? other : self;
  }
}

// self clamped to [low, high]; high where low > high; NaN if one of the three is NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T clamp(T self, T low, T high) {
  if constexpr (std::is_integral_v<T>) {
    return minimum<T>(maximum<T>(self, low), high);
  } else {
    // One selection at a time: gcc 12 does not vectorise minimum(maximum()) with their joint conditions.
    const opmath<T> x = self, a = low, b = high;
    opmath<T> raised = x > a ? x : a;
    raised = x != x ? x : raised;
    const opmath<T> lowered = raised < b ? raised : b;
    return static_cast<T>(raised != raised ? raised : lowered);
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T clamp_min(T self, T low) {
  return maximum<T>(self, low);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T clamp_max(T self, T high) {
  return minimum<T>(self, high);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T where(bool condition, T self, T other) {
  return condition ? self : other;
}

#ifndef __CUDACC__
template <>
inline constexpr bool ignores_sign<"eq"> = true;
template <>
inline constexpr bool ignores_sign<"ne"> = true;
template <>
inline constexpr bool ignores_sign<"isposinf"> = true;
template <>
inline constexpr bool ignores_sign<"isneginf"> = true;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
