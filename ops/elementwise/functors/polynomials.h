// Orthogonal polynomials. The degree is a number that is truncated to an integer; below 0 the result is 0.
// They are computed in double.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/math_arc.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/math_trig.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// The degrees beyond which recurrences aren't run: Hermite polynomials overflow for most x, and others would
// take milliseconds for each element.
constexpr double most_of_hermite = 512.0, most_of_recurrence = 1048576.0;

C10_HOST_DEVICE C10_ALWAYS_INLINE double not_a_number() { return static_cast<double>(__builtin_nanf("")); }
C10_HOST_DEVICE C10_ALWAYS_INLINE bool is_infinite(double x) {
  return math::fabs(x) == static_cast<double>(__builtin_inff());
}

// Infinity with the sign of x^n.
C10_HOST_DEVICE inline double infinite_power(double x, double n) {
  const bool odd = n != 2.0 * math::floor(0.5 * n);
  return math::copysign(static_cast<double>(__builtin_inff()), odd ? x : 1.0);
}

// The four kinds differ in the polynomial of degree 1, and in their closed forms:
//   T = cos(n t), U = sin((n + 1) t) / sin(t), V = cos((n + 1/2) t) / cos(t / 2), W = sin((n + 1/2) t) /
//   sin(t / 2)
// where x = cos(t); beyond 1 the same with hyperbolic functions.
enum class Kind { T, U, V, W };

// For 0 <= x < 1.
C10_HOST_DEVICE inline double chebyshev_wave(Kind kind, double x, double n) {
  const double t = math::acos(x);
  if (kind == Kind::T) return math::cos(n * t);
  if (kind == Kind::U) return math::sin((n + 1.0) * t) / math::sin(t);
  const double angle = (n + 0.5) * t;
  return kind == Kind::V ? math::cos(angle) / math::cos(0.5 * t) : math::sin(angle) / math::sin(0.5 * t);
}

// For x > 1: exp(n t) and a quotient near 1, of which neither overflows before the result does.
C10_HOST_DEVICE inline double chebyshev_growth(Kind kind, double x, double n) {
  const double t = math::acosh(x), growth = math::exp(n * t);
  if (kind == Kind::T) return 0.5 * (growth + math::exp(-n * t));
  if (kind == Kind::U) return growth * (math::expm1(-2.0 * (n + 1.0) * t) / math::expm1(-2.0 * t));
  const double far = -(2.0 * n + 1.0) * t;
  if (kind == Kind::V) return growth * ((1.0 + math::exp(far)) / (1.0 + math::exp(-t)));
  return growth * (math::expm1(far) / math::expm1(-t));
}

C10_HOST_DEVICE inline double chebyshev(Kind kind, double x, double degree) {
  const double n = math::trunc(degree);
  if (n != n || x != x) return n < 0.0 ? 0.0 : n == 0.0 ? 1.0 : not_a_number();
  if (n < 0.0) return 0.0;
  if (n == 0.0) return 1.0;
  if (is_infinite(x)) return infinite_power(x, n);
  if (n <= 32.0) {
    double last = 1.0;
    double value = kind == Kind::T ? x : kind == Kind::U ? 2.0 * x : 2.0 * x + (kind == Kind::V ? -1.0 : 1.0);
    for (double k = 1.0; k < n; k += 1.0) {
      const double next = 2.0 * x * value - last;
      last = value;
      value = next;
    }
    return value != value || is_infinite(value) ? infinite_power(x, n) : value;
  }
  // To the right of zero, where angles have all digits; there V and W change places.
  if (x < 0.0 && kind == Kind::V) {
    kind = Kind::W;
  } else if (x < 0.0 && kind == Kind::W) {
    kind = Kind::V;
  }
  const double y = math::fabs(x);
  double value;
  if (y == 1.0) {
    value = kind == Kind::U ? n + 1.0 : kind == Kind::W ? 2.0 * n + 1.0 : 1.0;
  } else {
    value = y < 1.0 ? chebyshev_wave(kind, y, n) : chebyshev_growth(kind, y, n);
  }
  return x < 0.0 && n != 2.0 * math::floor(0.5 * n) ? -value : value;
}

// `scale` is 2 for the polynomials of physics, 1 for those of probability theory.
C10_HOST_DEVICE inline double hermite(double scale, double x, double degree) {
  const double n = math::trunc(degree);
  if (n < 0.0) return 0.0;
  if (n == 0.0) return 1.0;
  if (!(n <= most_of_hermite)) return not_a_number();
  if (is_infinite(x)) return infinite_power(x, n);
  double last = 1.0, value = scale * x;
  for (double k = 1.0; k < n; k += 1.0) {
    const double next = scale * (x * value - k * last);
    last = value;
    value = next;
  }
  return value;
}

C10_HOST_DEVICE inline double laguerre(double x, double degree) {
  const double n = math::trunc(degree);
  if (n < 0.0) return 0.0;
  if (n == 0.0 || (x == 0.0 && n == n)) return 1.0;
  if (!(n <= most_of_recurrence)) return not_a_number();
  if (is_infinite(x)) return infinite_power(-x, n);
  double last = 1.0, value = 1.0 - x;
  for (double k = 1.0; k < n && value == value; k += 1.0) {
    const double next = ((2.0 * k + 1.0 - x) * value - k * last) / (k + 1.0);
    last = value;
    value = next;
  }
  return value;
}

C10_HOST_DEVICE inline double legendre(double x, double degree) {
  const double n = math::trunc(degree);
  if (n < 0.0) return 0.0;
  if (n == 0.0 || (x == 1.0 && n == n)) return 1.0;
  if (!(n <= most_of_recurrence)) return not_a_number();
  if (is_infinite(x)) return infinite_power(x, n);
  double last = 1.0, value = x;
  for (double k = 1.0; k < n && value == value; k += 1.0) {
    const double next = ((2.0 * k + 1.0) * x * value - k * last) / (k + 1.0);
    last = value;
    value = next;
  }
  return value != value && x == x ? infinite_power(x, n) : value;
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_chebyshev_polynomial_t(T x, T n) {
  return static_cast<T>(detail::chebyshev(detail::Kind::T, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_chebyshev_polynomial_u(T x, T n) {
  return static_cast<T>(detail::chebyshev(detail::Kind::U, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_chebyshev_polynomial_v(T x, T n) {
  return static_cast<T>(detail::chebyshev(detail::Kind::V, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_chebyshev_polynomial_w(T x, T n) {
  return static_cast<T>(detail::chebyshev(detail::Kind::W, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_shifted_chebyshev_polynomial_t(T x, T n) {
  return static_cast<T>(
      detail::chebyshev(detail::Kind::T, 2.0 * static_cast<double>(x) - 1.0, static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_shifted_chebyshev_polynomial_u(T x, T n) {
  return static_cast<T>(
      detail::chebyshev(detail::Kind::U, 2.0 * static_cast<double>(x) - 1.0, static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_shifted_chebyshev_polynomial_v(T x, T n) {
  return static_cast<T>(
      detail::chebyshev(detail::Kind::V, 2.0 * static_cast<double>(x) - 1.0, static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_shifted_chebyshev_polynomial_w(T x, T n) {
  return static_cast<T>(
      detail::chebyshev(detail::Kind::W, 2.0 * static_cast<double>(x) - 1.0, static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_hermite_polynomial_h(T x, T n) {
  return static_cast<T>(detail::hermite(2.0, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_hermite_polynomial_he(T x, T n) {
  return static_cast<T>(detail::hermite(1.0, static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_laguerre_polynomial_l(T x, T n) {
  return static_cast<T>(detail::laguerre(static_cast<double>(x), static_cast<double>(n)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_legendre_polynomial_p(T x, T n) {
  return static_cast<T>(detail::legendre(static_cast<double>(x), static_cast<double>(n)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
