// relu, and activation functions that differ from it below zero.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// max(self, 0); NaN and -0 are kept.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T relu(T self) {
  const opmath<T> x = self;
  return x < opmath<T>(0) ? T(0) : self;
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

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
