// Activation functions made of the logistic function, and their gradients: `grad` is with respect to the
// result, y is the result and x the argument.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

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

// The first half of a pair times the logistic function of the second.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu(T first, T second) {
  using O = opmath<T>;
  return static_cast<T>(math::scaled_logistic(static_cast<O>(second), static_cast<O>(first)));
}

// The gradient of the second half.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu_gate_backward(T grad, T first, T second) {
  using O = opmath<T>;
  const O s = math::logistic(static_cast<O>(second));
  return static_cast<T>((O(1) - s) * s * static_cast<O>(first) * static_cast<O>(grad));
}

// The tangent of the result from those of both halves.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T glu_jvp(T result, T second, T first_change, T second_change) {
  using O = opmath<T>;
  const O s = math::logistic(static_cast<O>(second)), y = static_cast<O>(result);
  return static_cast<T>(static_cast<O>(first_change) * s + static_cast<O>(second_change) * (y - s * y));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
