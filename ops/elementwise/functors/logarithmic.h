// xlogy, entropy, logaddexp, logit and the like.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// self * log(other); 0 where self is 0 and other is a number.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T xlogy(T self, T other) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), y = static_cast<O>(other), product = x * math::log(y);
  return static_cast<T>((x == O(0)) & (y == y) ? O(0) : product);
}

// self * log(1 + other); 0 where self is 0 and other is a number.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T xlog1py(T self, T other) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), y = static_cast<O>(other), product = x * math::log1p(y);
  return static_cast<T>((x == O(0)) & (y == y) ? O(0) : product);
}

// -self * log(self); 0 at zero, minus infinity below.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_entr(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), entropy = -x * math::log(x);
  const O above = x == O(0) ? O(0) : entropy;
  return static_cast<T>(x < O(0) ? -O(__builtin_inf()) : above);
}

// log(exp(self) + exp(other)), without overflow.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logaddexp(T self, T other) {
  using O = opmath<T>;
  const O a = static_cast<O>(self), b = static_cast<O>(other);
  if constexpr (is_complex<O>) {
    // The operand with the smaller real part is added to the other.
    const bool swapped = b.real() < a.real();
    const O small = swapped ? b : a, large = swapped ? a : b;
    const bool equal = (a.real() == b.real()) & (a.imag() == b.imag());
    using R = real_of<O>;
    if (equal & (a.real() - a.real() != R(0)) & (a.real() == a.real())) {
      return a;
    }
    return large + math::log1p(math::exp(small - large));
  } else {
    const O large = a > b ? a : b;
    const O sum = large + math::log1p(math::exp(-math::fabs(a - b)));
    return static_cast<T>((a == b) & (a - a != O(0)) ? a : sum);
  }
}

// log2(2^self + 2^other)
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logaddexp2(T self, T other) {
  using O = opmath<T>;
  const O a = static_cast<O>(self), b = static_cast<O>(other), large = a > b ? a : b;
  const O sum = large + math::log1p(math::exp2(-math::fabs(a - b))) * O(1.44269504088896340736);
  return static_cast<T>((a == b) & (a - a != O(0)) ? a : sum);
}

// log(self / (1 - self)), self clamped to [low, high] before.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logit(T self, opmath<T> low, opmath<T> high) {
  using O = opmath<T>;
  O x = static_cast<O>(self);
  x = x < low ? low : x;
  x = x > high ? high : x;
  return static_cast<T>(math::log(x / (O(1) - x)));
}

// `outside` where self is not in [low, high]: 0, or NaN where nothing was clamped.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T logit_backward(T grad, T self, opmath<T> low, opmath<T> high,
                                                   opmath<T> outside) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), inside = static_cast<O>(grad) / (x * (O(1) - x));
  return static_cast<T>((x < low) | (x > high) ? outside : inside);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
