// softplus and log_sigmoid, which are log(1 + exp(x)) without overflow.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// log(1 + exp(x)), without overflow.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O log_one_plus_exp(O x) {
  const O above = x > O(0) ? x : O(0);
  // NaN is propagated by the exponential.
  return above + math::log1p(math::exp(-math::fabs(x)));
}

}  // namespace detail

// log(1 + exp(beta * self)) / beta; self itself where beta * self is above the threshold.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T softplus(T self, opmath<T> beta, opmath<T> threshold) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), scaled = x * beta;
  const O smooth = detail::log_one_plus_exp<O>(scaled) / beta;
  return static_cast<T>(scaled > threshold ? x : smooth);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T softplus_backward(T grad, T self, opmath<T> beta, opmath<T> threshold) {
  using O = opmath<T>;
  const O scaled = static_cast<O>(self) * beta, g = static_cast<O>(grad);
  const O smooth = g * math::logistic(scaled);
  return static_cast<T>(scaled > threshold ? g : smooth);
}

// log(sigmoid(self))
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log_sigmoid(T self) {
  using O = opmath<T>;
  return static_cast<T>(-detail::log_one_plus_exp<O>(-static_cast<O>(self)));
}

// The same, from exp(-|self|).
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log_sigmoid(T self, T buffer) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), below = x > O(0) ? O(0) : x;
  return static_cast<T>(below - math::log1p(static_cast<O>(buffer)));
}

// exp(-|self|), which log_sigmoid and its gradient are computed from.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log_sigmoid_buffer(T self) {
  using O = opmath<T>;
  return static_cast<T>(math::exp(-math::fabs(static_cast<O>(self))));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log_sigmoid_backward(T grad, T self, T buffer) {
  using O = opmath<T>;
  const O z = static_cast<O>(buffer);
  const O numerator = static_cast<O>(self) < O(0) ? O(1) : z;
  return static_cast<T>(static_cast<O>(grad) * (numerator / (O(1) + z)));
}

// The same from the argument alone.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T log_sigmoid_backward(T grad, T self) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(grad) * math::logistic(-static_cast<O>(self)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
