// Sine and cosine of floating and complex numbers.
#pragma once

#include <ATen/native/functors/complex_math.h>
#include <ATen/native/functors/math_trig.h>
#include <ATen/native/functors/types.h>

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

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
