// Sine, cosine and tangent of floating and complex numbers.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math_trig.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sin(T self) {
  return static_cast<T>(math::sin(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T cos(T self) {
  return static_cast<T>(math::cos(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T tan(T self) {
  return static_cast<T>(math::tan(static_cast<opmath<T>>(self)));
}

// sin(pi * self) / (pi * self), 1 at zero.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sinc(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self) * O(3.14159265358979323846), ratio = math::sin(x) / x;
  return static_cast<T>(x == O(0) ? O(1) : ratio);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
