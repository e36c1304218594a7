// lgamma, digamma, polygamma and the zeta function.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/math_trig.h>
#include <ATen/native/math/types.h>
#ifndef __CUDA_ARCH__
#include <ATen/native/math/host_gamma.h>
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

// `value` or zero. On the host a selection of bits: a branch around the call that computes `value` would
// prevent vectorisation.
C10_HOST_DEVICE C10_ALWAYS_INLINE double only_if(bool condition, double value) {
#ifdef __CUDA_ARCH__
  return condition ? value : 0.0;
#else
  return math::host::bits<double>(math::host::bits<uint64_t>(value) & (uint64_t{0} - uint64_t{condition}));
#endif
}

// A sum of reciprocals as one fraction.
struct Reciprocals {
  double numerator, denominator;
};

// Where x < 10: adds 1 / x^power to the sum and 1 to x.
template <int power>
C10_HOST_DEVICE C10_ALWAYS_INLINE void add_reciprocal(Reciprocals& sum, double& x) {
  const double step = x < 10.0 ? 1.0 : 0.0, base = x < 10.0 ? x : 1.0;
  const double factor = power == 2 ? base * base : base;
  sum.numerator = sum.numerator * factor + step * sum.denominator;
  sum.denominator *= factor;
  x += step;
}

// The derivative of log(gamma(x)) for x > 0: the recurrence up to 10, then the asymptotic series.
C10_HOST_DEVICE C10_ALWAYS_INLINE double positive_digamma(double x) {
  Reciprocals sum = {0.0, 1.0};
#pragma GCC unroll 10
  for (int i = 0; i < 10; ++i) {
    add_reciprocal<1>(sum, x);
  }
  const double inverse = 1.0 / x, z = inverse * inverse;
  const double series =
      z * (1.0 / 12 -
           z * (1.0 / 120 -
                z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z * (1.0 / 12)))))));
  return (math::log(x) - 0.5 * inverse) - (series + sum.numerator / sum.denominator);
}

}  // namespace detail

// Computed in double. Minus infinity at zero, NaN at the negative poles.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T digamma(T self) {
  const double x = static_cast<double>(static_cast<opmath<T>>(self));
  const double positive = detail::positive_digamma(x < 0.0 ? 1.0 - x : x);
  const double above = x == 0.0 ? math::copysign(static_cast<double>(__builtin_inff()), -x) : positive;
  // Below zero: digamma(1 - x) - pi / tan(pi x), which is infinite at the poles and its product NaN.
  const double fraction = x - math::trunc(x);
  const double quotient = 3.14159265358979323846 / math::tan(fraction * 3.14159265358979323846);
  const double reflected = detail::only_if(x < 0.0, quotient + quotient * 0.0);
  return static_cast<T>(static_cast<opmath<T>>(above - reflected));
}

namespace detail {

// x^-s; small integer powers are multiplied out.
C10_HOST_DEVICE inline double reciprocal_power(double x, double s) {
  if (s > 8.0 || s != math::floor(s)) return math::pow(x, -s);
  double power = x;
  for (double i = 1.0; i < s; i += 1.0) {
    power *= x;
  }
  return 1.0 / power;
}

// The Hurwitz zeta function, the sum of (q + k)^-s over all k >= 0, for s > 1: terms until q + k > 9, then
// the Euler-Maclaurin series. Infinity at the poles.
C10_HOST_DEVICE inline double hurwitz_zeta(double s, double q) {
  if (q <= 0.0 && q == math::floor(q)) return static_cast<double>(__builtin_inff());
  if (!(q > -1e6)) return static_cast<double>(__builtin_nanf(""));
  double sum = 0.0, a = q;
  for (int i = 0; i < 9 || a <= 9.0; ++i) {
    sum += reciprocal_power(a, s);
    a += 1.0;
  }
  // Bernoulli numbers over factorials, B_2k / (2k)!.
  const double coefficients[] = {1.0 / 12,
                                 -1.0 / 720,
                                 1.0 / 30240,
                                 -1.0 / 1209600,
                                 1.0 / 47900160,
                                 -691.0 / 1307674368000.0,
                                 1.0 / 74724249600.0,
                                 -3617.0 / 10670622842880000.0,
                                 43867.0 / 5109094217170944000.0};
  const double power = reciprocal_power(a, s);
  if (power == 0.0) return sum;
  sum += power * a / (s - 1.0) + 0.5 * power;
  double factor = s * power / a;
  for (int k = 0; k < 9; ++k) {
    sum += coefficients[k] * factor;
    factor *= (s + (2 * k + 1)) * (s + (2 * k + 2)) / (a * a);
  }
  return sum;
}

// The second derivative of log(gamma(x)) for x > 0, as above.
C10_HOST_DEVICE C10_ALWAYS_INLINE double positive_trigamma(double x) {
  Reciprocals sum = {0.0, 1.0};
#pragma GCC unroll 10
  for (int i = 0; i < 10; ++i) {
    add_reciprocal<2>(sum, x);
  }
  const double inverse = 1.0 / x, z = inverse * inverse;
  const double series =
      1.0 / 6 -
      z * (1.0 / 30 - z * (1.0 / 42 - z * (1.0 / 30 - z * (5.0 / 66 - z * (691.0 / 2730 - z * (7.0 / 6))))));
  return sum.numerator / sum.denominator + (inverse + z * (0.5 + inverse * series));
}

}  // namespace detail

// The derivative of digamma; below 1/2 by reflection. Infinity at the poles.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T trigamma(T self) {
  const double x = static_cast<double>(static_cast<opmath<T>>(self));
  const double above = detail::positive_trigamma(x < 0.5 ? 1.0 - x : x);
  const double fraction = x - math::trunc(x);
  const double ratio = 3.14159265358979323846 / math::sin(fraction * 3.14159265358979323846);
  const double signed_above = x < 0.5 ? -above : above;
  return static_cast<T>(static_cast<opmath<T>>(signed_above + detail::only_if(x < 0.5, ratio * ratio)));
}

// The n-th derivative of digamma, n >= 1; `factorial` is log(n!).
template <class T>
C10_HOST_DEVICE inline T polygamma(T self, int64_t n, double factorial) {
  const double x = static_cast<double>(static_cast<opmath<T>>(self));
  if (x != x) return self;
  if (n == 1) return trigamma<T>(self);
  const double size = math::exp(factorial) * detail::hurwitz_zeta(static_cast<double>(n) + 1.0, x);
  const double result = n % 2 != 0 ? size : -size;
  return static_cast<T>(static_cast<opmath<T>>(result));
}

// Infinity at exponent 1; NaN below, and where powers of negative numbers aren't real.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_zeta(T exponent, T offset) {
  const double s = static_cast<double>(exponent), q = static_cast<double>(offset);
  if (s == 1.0) return static_cast<T>(__builtin_inff());
  const bool is_real = s > 1.0 && (q > 0.0 || s == math::floor(s) || q == math::floor(q));
  return static_cast<T>(is_real ? detail::hurwitz_zeta(s, q) : static_cast<double>(__builtin_nanf("")));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
