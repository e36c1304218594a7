// The gamma function's logarithm and its derivative.
#pragma once

#include <ATen/native/functors/math.h>
#include <ATen/native/functors/math_trig.h>
#include <ATen/native/functors/types.h>
#ifndef __CUDA_ARCH__
#include <ATen/native/functors/host_gamma.h>
#endif

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lgamma(T self) {
#ifdef __CUDA_ARCH__
  return static_cast<T>(::lgamma(static_cast<opmath<T>>(self)));
#else
  return static_cast<T>(math::host::lgamma(static_cast<opmath<T>>(self)));
#endif
}

namespace detail {

// The derivative of log(gamma(x)) for x > 0: the recurrence up to 10, then the asymptotic series.
C10_HOST_DEVICE C10_ALWAYS_INLINE double positive_digamma(double x) {
  double y = x, sum = 0.0;
  for (int i = 0; i < 10; ++i) {
    sum += y < 10.0 ? 1.0 / y : 0.0;
    y += y < 10.0 ? 1.0 : 0.0;
  }
  const double z = 1.0 / (y * y);
  const double series =
      z * (1.0 / 12 -
           z * (1.0 / 120 -
                z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z * (1.0 / 12)))))));
  return (math::log(y) - 0.5 / y) - (series + sum);
}

}  // namespace detail

// Computed in double. Minus infinity at zero, NaN at the poles below.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T digamma(T self) {
  const double x = static_cast<double>(static_cast<opmath<T>>(self));
  const double above = detail::positive_digamma(x < 0.0 ? 1.0 - x : x);
  // Below zero: digamma(1 - x) - pi / tan(pi x).
  const double fraction = x - math::trunc(x);
  const double reflected = above - 3.14159265358979323846 / math::tan(fraction * 3.14159265358979323846);
  const double below = fraction == 0.0 ? static_cast<double>(__builtin_nanf("")) : reflected;
  const double finite = x < 0.0 ? below : above;
  const double infinity = static_cast<double>(__builtin_inff());
  const double result = x == infinity ? infinity : finite;
  return static_cast<T>(static_cast<opmath<T>>(x == 0.0 ? math::copysign(infinity, -x) : result));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
