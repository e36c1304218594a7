// Math functions of c10::complex<T>, found by argument-dependent lookup and in namespace std. The host uses
// the C library's; the device computes them from real functions.
#pragma once

#include <c10/util/complex.h>

#include <cmath>

namespace c10::inline C10_ABI {
namespace complex_math {

template <class T>
C10_HOST_DEVICE inline T real(const complex<T>& z) {
  return z.real();
}
template <class T>
C10_HOST_DEVICE inline T imag(const complex<T>& z) {
  return z.imag();
}
template <class T>
C10_HOST_DEVICE inline complex<T> conj(const complex<T>& z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T>
C10_HOST_DEVICE inline T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
C10_HOST_DEVICE inline T abs(const complex<T>& z) {
  return ::hypot(z.real(), z.imag());
}
C10_HOST_DEVICE inline float abs(const complex<float>& z) { return ::hypotf(z.real(), z.imag()); }
template <class T>
C10_HOST_DEVICE inline T arg(const complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
template <class T>
C10_HOST_DEVICE inline complex<T> polar(const T& r, const T& theta = T()) {
  return complex<T>(r * std::cos(theta), r * std::sin(theta));
}
template <class T>
C10_HOST_DEVICE inline bool isnan(const complex<T>& z) {
  return z.real() != z.real() || z.imag() != z.imag();
}

#if defined(C10_DEVICE_CODE)

template <class T>
C10_HOST_DEVICE inline complex<T> exp(const complex<T>& z) {
  const T scale = std::exp(z.real());
  if (z.imag() == T(0)) return complex<T>(scale, z.imag());
  return complex<T>(scale * std::cos(z.imag()), scale * std::sin(z.imag()));
}
template <class T>
C10_HOST_DEVICE inline complex<T> log(const complex<T>& z) {
  return complex<T>(std::log(abs(z)), arg(z));
}
template <class T>
C10_HOST_DEVICE inline complex<T> sqrt(const complex<T>& z) {
  const T re = z.real(), im = z.imag();
  if (re == T(0) && im == T(0)) return complex<T>(T(0), im);
  // Halved before adding, so that |z| + |re| doesn't overflow.
  const T root = std::sqrt(abs(z) / 2 + std::fabs(re) / 2);
  if (re >= T(0)) return complex<T>(root, im / (2 * root));
  return complex<T>(std::fabs(im) / (2 * root), std::copysign(root, im));
}
template <class T>
C10_HOST_DEVICE inline complex<T> sinh(const complex<T>& z) {
  return complex<T>(std::sinh(z.real()) * std::cos(z.imag()), std::cosh(z.real()) * std::sin(z.imag()));
}
template <class T>
C10_HOST_DEVICE inline complex<T> cosh(const complex<T>& z) {
  return complex<T>(std::cosh(z.real()) * std::cos(z.imag()), std::sinh(z.real()) * std::sin(z.imag()));
}
template <class T>
C10_HOST_DEVICE inline complex<T> tanh(const complex<T>& z) {
  const T re = z.real(), im = z.imag();
  // Beyond this the quotient would be inf/inf although the limit is known.
  if (std::fabs(re) > T(20)) {
    return complex<T>(std::copysign(T(1), re),
                      4 * std::sin(im) * std::cos(im) * std::exp(-2 * std::fabs(re)));
  }
  const T t = std::tan(im), beta = 1 + t * t, s = std::sinh(re), rho = std::sqrt(1 + s * s);
  if (std::isinf(t)) return complex<T>(rho / s, 1 / t);
  const T denominator = 1 + beta * s * s;
  return complex<T>(beta * rho * s / denominator, t / denominator);
}
template <class T>
C10_HOST_DEVICE inline complex<T> pow(const complex<T>& z, const complex<T>& w) {
  if (w == T(0)) return complex<T>(T(1));
  if (z == T(0)) return complex<T>(T(0));
  return exp(w * log(z));
}

#else

inline _Complex float c99(const complex<float>& z) {
  _Complex float result;
  __real__ result = z.real();
  __imag__ result = z.imag();
  return result;
}
inline _Complex double c99(const complex<double>& z) {
  _Complex double result;
  __real__ result = z.real();
  __imag__ result = z.imag();
  return result;
}

// The C99 functions as compiler builtins: <complex> would include the streams.
#define C10_COMPLEX_FROM_C99_(name)                           \
  inline complex<float> name(const complex<float>& z) {       \
    _Complex float result = __builtin_c##name##f(c99(z));     \
    return complex<float>(__real__ result, __imag__ result);  \
  }                                                           \
  inline complex<double> name(const complex<double>& z) {     \
    _Complex double result = __builtin_c##name(c99(z));       \
    return complex<double>(__real__ result, __imag__ result); \
  }
C10_COMPLEX_FROM_C99_(exp)
C10_COMPLEX_FROM_C99_(log)
C10_COMPLEX_FROM_C99_(sqrt)
C10_COMPLEX_FROM_C99_(sinh)
C10_COMPLEX_FROM_C99_(cosh)
C10_COMPLEX_FROM_C99_(tanh)
#undef C10_COMPLEX_FROM_C99_

inline complex<float> pow(const complex<float>& z, const complex<float>& w) {
  if (w == 0.0f) return 1.0f;
  _Complex float result = __builtin_cpowf(c99(z), c99(w));
  return complex<float>(__real__ result, __imag__ result);
}
inline complex<double> pow(const complex<double>& z, const complex<double>& w) {
  if (w == 0.0) return 1.0;
  _Complex double result = __builtin_cpow(c99(z), c99(w));
  return complex<double>(__real__ result, __imag__ result);
}

#endif

template <class T>
C10_HOST_DEVICE inline complex<T> pow(const complex<T>& z, const std::type_identity_t<T>& w) {
  return pow(z, complex<T>(w));
}
template <class T>
C10_HOST_DEVICE inline complex<T> pow(const std::type_identity_t<T>& z, const complex<T>& w) {
  return pow(complex<T>(z), w);
}
template <class T>
C10_HOST_DEVICE inline complex<T> times_i(const complex<T>& z) {
  return complex<T>(-z.imag(), z.real());
}
template <class T>
C10_HOST_DEVICE inline complex<T> sin(const complex<T>& z) {
  const complex<T> w = sinh(times_i(z));
  return complex<T>(w.imag(), -w.real());
}
template <class T>
C10_HOST_DEVICE inline complex<T> cos(const complex<T>& z) {
  return cosh(times_i(z));
}
template <class T>
C10_HOST_DEVICE inline complex<T> tan(const complex<T>& z) {
  const complex<T> w = tanh(times_i(z));
  return complex<T>(w.imag(), -w.real());
}
template <class T>
C10_HOST_DEVICE inline complex<T> log10(const complex<T>& z) {
  return log(z) * T(0.43429448190325182765);
}
template <class T>
C10_HOST_DEVICE inline complex<T> log2(const complex<T>& z) {
  return log(z) * T(1.44269504088896340736);
}

}  // namespace complex_math

// Found by argument-dependent lookup, which a using-directive isn't.
using complex_math::abs;
using complex_math::arg;
using complex_math::conj;
using complex_math::cos;
using complex_math::cosh;
using complex_math::exp;
using complex_math::imag;
using complex_math::isnan;
using complex_math::log;
using complex_math::log10;
using complex_math::log2;
using complex_math::norm;
using complex_math::polar;
using complex_math::pow;
using complex_math::real;
using complex_math::sin;
using complex_math::sinh;
using complex_math::sqrt;
using complex_math::tan;
using complex_math::tanh;

}  // namespace c10::inline C10_ABI

// Kernels written for ATen say std::exp(z) for every type.
namespace std {
using c10::complex_math::abs;
using c10::complex_math::arg;
using c10::complex_math::conj;
using c10::complex_math::cos;
using c10::complex_math::cosh;
using c10::complex_math::exp;
using c10::complex_math::imag;
using c10::complex_math::isnan;
using c10::complex_math::log;
using c10::complex_math::log10;
using c10::complex_math::log2;
using c10::complex_math::norm;
using c10::complex_math::pow;
using c10::complex_math::real;
using c10::complex_math::sin;
using c10::complex_math::sinh;
using c10::complex_math::sqrt;
using c10::complex_math::tan;
using c10::complex_math::tanh;
}  // namespace std
