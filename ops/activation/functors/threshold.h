// Piecewise linear activation functions.
#pragma once

#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// `value` where self is at most the threshold, `other` elsewhere, and for NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T threshold(T self, T other, T limit, T value) {
  using O = opmath<T>;
  return static_cast<O>(self) <= static_cast<O>(limit) ? value : other;
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardtanh_backward(T grad, T self, opmath<T> min, opmath<T> max) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return (x > min) & (x < max) ? grad : T(0);
}

namespace detail {

// self clamped to [-3, 3], plus 3.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O relu6_shifted(O x) {
  O y = x + O(3);
  y = y < O(0) ? O(0) : y;
  return y > O(6) ? O(6) : y;
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardsigmoid(T self) {
  using O = opmath<T>;
  return static_cast<T>(detail::relu6_shifted<O>(static_cast<O>(self)) / O(6));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardsigmoid_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), inside = static_cast<O>(grad) / O(6);
  return static_cast<T>((x > O(-3)) & (x < O(3)) ? inside : O(0));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardswish(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>(x * detail::relu6_shifted<O>(x) / O(6));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardswish_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), g = static_cast<O>(grad);
  const O inside = g * (x / O(3) + O(0.5)), below = x <= O(-3) ? O(0) : inside;
  return static_cast<T>(x < O(3) ? below : g);
}

// Zero within lambd of zero; beyond, self.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardshrink(T self, opmath<T> lambd) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>((x >= -lambd) & (x <= lambd) ? O(0) : x);
}

// Zero within lambd of zero; beyond, self moved by lambd towards zero. NaN stays NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T softshrink(T self, opmath<T> lambd) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), above = x - lambd, below = x + lambd;
  const O lower = x < -lambd ? below : x * O(0);
  return static_cast<T>(x > lambd ? above : lower);
}

// The gradient of both.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T shrink_backward(T grad, T self, opmath<T> lambd) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return (x >= -lambd) & (x <= lambd) ? T(0) : grad;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
