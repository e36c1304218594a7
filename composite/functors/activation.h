// Activation functions with parameters, and the gradients of activation functions: of `grad` with respect to
// the result y or the argument x.
#pragma once

#include <ATen/native/functors/complex_math.h>
#include <ATen/native/functors/math.h>
#include <ATen/native/functors/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O conjugate(O x) {
  if constexpr (is_complex<O>) {
    return O(x.real(), -x.imag());
  } else {
    return x;
  }
}

template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O logistic(O x) {
  if constexpr (is_complex<O>) {
    return O(1) / (O(1) + math::exp(-x));
  } else {
    return math::logistic(x);
  }
}

// log(1 + exp(x)), without overflow.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O log_one_plus_exp(O x) {
  const O above = x > O(0) ? x : O(0);
  // A NaN is left to the exponential.
  return above + math::log1p(math::exp(-math::fabs(x)));
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sigmoid_backward(T grad, T output) {
  using O = opmath<T>;
  const O y = static_cast<O>(output);
  return static_cast<T>(static_cast<O>(grad) * detail::conjugate<O>((O(1) - y) * y));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T tanh_backward(T grad, T output) {
  using O = opmath<T>;
  const O y = static_cast<O>(output);
  return static_cast<T>(static_cast<O>(grad) * detail::conjugate<O>(O(1) - y * y));
}

// self / (1 + exp(-self))
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T silu(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>(x * detail::logistic<O>(x));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T silu_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  const O s = detail::logistic<O>(x);
  return static_cast<T>(static_cast<O>(grad) * s * (O(1) + x * (O(1) - s)));
}

// The gradient with respect to self is that of Phi(self) * self: Phi(self) + self * phi(self).
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T gelu_backward(T grad, T self) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(grad) * math::gelu_slope(static_cast<O>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T gelu_tanh_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  const O square = x * x;
  const O twice_u = O(1.5957691216057308) * x * (O(1) + O(0.044715) * square);
  const O twice_slope = O(1.5957691216057308) * (O(1) + O(3 * 0.044715) * square);
  const O s = math::logistic(twice_u);
  return static_cast<T>(static_cast<O>(grad) * (s + x * s * (O(1) - s) * twice_slope));
}

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

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T leaky_relu(T self, opmath<T> negative_slope) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), scaled = x * negative_slope;
  return static_cast<T>(x > O(0) ? x : scaled);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T leaky_relu_backward(T self, T grad, opmath<T> negative_slope) {
  using O = opmath<T>;
  const O g = static_cast<O>(grad), scaled = g * negative_slope;
  return static_cast<T>(static_cast<O>(self) > O(0) ? g : scaled);
}

// `value` where self is at most the threshold, `other` elsewhere. NaN is not at most anything.
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

// exp(-|self|), which log_sigmoid and its gradient are made of.
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
