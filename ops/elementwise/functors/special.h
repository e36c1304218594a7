// The logistic function, the error functions, the normal distribution function and its inverse.
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

namespace detail {

// The x < 0 with Phi(x) = p: Acklam's rational approximation (|error| 1e-9), then a step of Newton's method
// on log(Phi).
C10_HOST_DEVICE inline double lower_ndtri(double p) {
  const double logarithm = math::log(p), q = math::sqrt(-2.0 * logarithm);
  const double numerator =
      ((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
        2.549732539343734e+00) *
           q +
       4.374664141464968e+00) *
          q +
      2.938163982698783e+00;
  const double denominator =
      (((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
       3.754408661907416e+00) *
          q +
      1.0;
  const double x = numerator / denominator, t = x * -0.70710678118654752440, scaled = math::erfcx(t);
  const double error = math::log(0.5 * scaled) - t * t - logarithm;
  return x - error * scaled * 1.25331413731550025121;
}

// In the middle by erfinv, whose argument has all digits there.
C10_HOST_DEVICE inline double ndtri(double p) {
  if (p == 0.0) return -static_cast<double>(__builtin_inff());
  if (p == 1.0) return static_cast<double>(__builtin_inff());
  if (!(p > 0.0 && p < 1.0)) return static_cast<double>(__builtin_nanf(""));
  if (p < 0.02425) return lower_ndtri(p);
  if (p > 0.97575) return -lower_ndtri(1.0 - p);
  return 1.41421356237309504880 * math::erfinv((p - 0.5) + (p - 0.5));
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_ndtri(T self) {
  return static_cast<T>(detail::ndtri(static_cast<double>(self)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
