// The logistic function, the error functions and the normal distribution function.
#pragma once

#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

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

// log(Phi(self)): from the scaled complementary error function in the lower tail.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_log_ndtr(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), t = x * O(0.70710678118654752440);
  const O low = math::log(math::erfcx(x < O(-1) ? -t : O(1)) * O(0.5)) - t * t;
  const O high = math::log1p(math::erfc(x < O(-1) ? O(1) : t) * O(-0.5));
  return static_cast<T>(x < O(-1) ? low : high);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
