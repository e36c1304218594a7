// expm1, hyperbolic functions and their inverses, of floating and complex numbers.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T expm1(T self) {
  return static_cast<T>(math::expm1(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sinh(T self) {
  return static_cast<T>(math::sinh(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T cosh(T self) {
  return static_cast<T>(math::cosh(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T asinh(T self) {
  return static_cast<T>(math::asinh(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T acosh(T self) {
  return static_cast<T>(math::acosh(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T atanh(T self) {
  return static_cast<T>(math::atanh(static_cast<opmath<T>>(self)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
