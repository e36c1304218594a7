// Activation functions with parameters, and the gradients of activation functions: of `grad` with respect to
// the result y or the argument x.
#pragma once

#include <ATen/native/functors/complex_math.h>
#include <ATen/native/functors/math.h>
#include <ATen/native/functors/math_hyperbolic.h>
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
  if constexpr (is_complex<O>) {
    return static_cast<T>(x * detail::logistic<O>(x));
  } else {
    return static_cast<T>(math::scaled_logistic(x, x));
  }
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

// expm1 below zero: scale * alpha * (exp(input_scale * self) - 1), above scale * self.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T elu(T self, opmath<T> alpha, opmath<T> scale, opmath<T> input_scale) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>(math::expm1_below_zero(x, input_scale, alpha * scale, scale));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T elu_backward(T grad, T self_or_result, opmath<T> alpha, opmath<T> scale,
                                                 opmath<T> input_scale, bool is_result) {
  using O = opmath<T>;
  const O g = static_cast<O>(grad), x = static_cast<O>(self_or_result);
  const O slope = is_result ? x + alpha * scale : alpha * scale * math::exp(x * input_scale);
  const O below = g * input_scale * slope, above = g * scale;
  return static_cast<T>(x <= O(0) ? below : above);
}

// self brought into [-3, 3], from 0 to 6.
namespace detail {
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

// Nothing within lambd of zero; beyond, self.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T hardshrink(T self, opmath<T> lambd) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>((x >= -lambd) & (x <= lambd) ? O(0) : x);
}

// Nothing within lambd of zero; beyond, self less lambd towards zero. NaN stays NaN.
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

namespace detail {
// tanh(log(1 + exp(x))) = n / (n + 2) with n = exp(x) (exp(x) + 2); 1 from x = 20 on.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O tanh_softplus(O x) {
  const O e = math::exp(x > O(20) ? O(20) : x), n = e * (e + O(2));
  return n / (n + O(2));
}
}  // namespace detail

// self * tanh(softplus(self))
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T mish(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  return static_cast<T>(x * detail::tanh_softplus(x));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T mish_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), t = detail::tanh_softplus(x);
  return static_cast<T>(static_cast<O>(grad) * (t + x * math::logistic(x) * (O(1) - t * t)));
}

// The first half of a pair by the logistic function of the second.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu(T first, T second) {
  using O = opmath<T>;
  return static_cast<T>(math::scaled_logistic(static_cast<O>(second), static_cast<O>(first)));
}

// The gradient of the second.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu_gate_backward(T grad, T first, T second) {
  using O = opmath<T>;
  const O s = math::logistic(static_cast<O>(second));
  return static_cast<T>((O(1) - s) * s * static_cast<O>(first) * static_cast<O>(grad));
}

// What `result` changes by with both.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu_jvp(T result, T second, T first_change, T second_change) {
  using O = opmath<T>;
  const O s = math::logistic(static_cast<O>(second)), y = static_cast<O>(result);
  return static_cast<T>(static_cast<O>(first_change) * s + static_cast<O>(second_change) * (y - s * y));
}

// self above zero, weight * self below.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T prelu(T self, T weight) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), below = static_cast<O>(weight) * x;
  return static_cast<T>(x > O(0) ? x : below);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T prelu_backward(T grad, T self, T weight) {
  using O = opmath<T>;
  const O g = static_cast<O>(grad), below = static_cast<O>(weight) * g;
  return static_cast<T>(static_cast<O>(self) > O(0) ? g : below);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T prelu_weight_backward(T grad, T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), below = x * static_cast<O>(grad);
  return static_cast<T>(x > O(0) ? O(0) : below);
}

// log(self / (1 - self)), self brought into [low, high] before.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logit(T self, opmath<T> low, opmath<T> high) {
  using O = opmath<T>;
  O x = static_cast<O>(self);
  x = x < low ? low : x;
  x = x > high ? high : x;
  return static_cast<T>(math::log(x / (O(1) - x)));
}

// `outside` where self is not in [low, high]: 0, or NaN where nothing was brought in.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logit_backward(T grad, T self, opmath<T> low, opmath<T> high,
                                                   opmath<T> outside) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), inside = static_cast<O>(grad) / (x * (O(1) - x));
  return static_cast<T>((x < low) | (x > high) ? outside : inside);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
