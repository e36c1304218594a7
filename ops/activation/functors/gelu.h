// gelu by the normal distribution function and by its tanh approximation, and their gradients.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// x * Phi(x) to the precision of T, Phi the normal distribution function.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE opmath<T> gelu_to_digits(opmath<T> x) {
  if constexpr (sizeof(T) == 2) {
    return math::short_gelu(x);
  } else {
    return math::gelu(x);
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T gelu(T self) {
  return static_cast<T>(gelu_to_digits<T>(static_cast<opmath<T>>(self)));
}

// The tanh approximation of gelu: self/2 * (1 + tanh(sqrt(2/pi) * (self + 0.044715 self^3))).
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T gelu_tanh(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  // 1 + tanh(u) = 2 * logistic(2u), which is accurate where tanh(u) is near -1.
  const O twice_u = O(1.5957691216057308) * (x + O(0.044715) * x * x * x);
  return static_cast<T>(x * math::logistic(twice_u));
}

// The gradient with respect to self, the derivative of Phi(self) * self: Phi(self) + self * phi(self).
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

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
