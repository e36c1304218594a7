// Activation functions and the error function.
#pragma once

#include <ATen/native/functors/complex_math.h>
#include <ATen/native/functors/math.h>
#include <ATen/native/functors/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// max(self, 0); NaN and -0 stay what they are.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T relu(T self) {
  const opmath<T> x = self;
  return x < opmath<T>(0) ? T(0) : self;
}

// 1 / (1 + exp(-self))
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sigmoid(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  if constexpr (is_complex<T>) {
    return O(1) / (O(1) + math::exp(-x));
  } else {
    return static_cast<T>(math::logistic(x));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T erf(T self) {
  return static_cast<T>(math::erf(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T erfc(T self) {
  return static_cast<T>(math::erfc(static_cast<opmath<T>>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T erfinv(T self) {
  return static_cast<T>(math::erfinv(static_cast<opmath<T>>(self)));
}

// exp(self^2) * erfc(self)
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_erfcx(T self) {
  return static_cast<T>(math::erfcx(static_cast<opmath<T>>(self)));
}

// log(Phi(self)): from the scaled tail where the distribution function is small.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_log_ndtr(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), t = x * O(0.70710678118654752440);
  const O low = math::log(math::erfcx(x < O(-1) ? -t : O(1)) * O(0.5)) - t * t;
  const O high = math::log1p(math::erfc(x < O(-1) ? O(1) : t) * O(-0.5));
  return static_cast<T>(x < O(-1) ? low : high);
}

// x * Phi(x) to the digits of T, Phi the normal distribution function.
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
  // 1 + tanh(u) = 2 * logistic(2u), which keeps its digits where tanh(u) is near -1.
  const O twice_u = O(1.5957691216057308) * (x + O(0.044715) * x * x * x);
  return static_cast<T>(x * math::logistic(twice_u));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
