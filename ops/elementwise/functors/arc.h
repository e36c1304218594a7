// Inverse trigonometric functions of floating and complex numbers.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math_arc.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T asin(T self) {
  return static_cast<T>(math::asin(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T acos(T self) {
  return static_cast<T>(math::acos(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T atan(T self) {
  return static_cast<T>(math::atan(static_cast<opmath<T>>(self)));
}

// The angle of the point (other, self).
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T atan2(T self, T other) {
  return static_cast<T>(math::atan2(static_cast<opmath<T>>(self), static_cast<opmath<T>>(other)));
}

// The angle of a real number: 0, or pi below zero; NaN of NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T real_angle(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), angle = x < O(0) ? O(3.14159265358979323846) : O(0);
  return static_cast<T>(x != x ? x : angle);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
