// Complex overloads of math.h's functions. The host goes through the C library's complex functions, which
// know the branch cuts and signed zeros; the device through thrust. README.md has their errors.
#pragma once

#include <ATen/native/math/math.h>
#include <c10/util/complex.h>

#ifdef __CUDACC__
#include <thrust/complex.h>
#else
#include <complex>
#endif

namespace at::native::math {
inline namespace CPU_CAPABILITY {

#ifdef __CUDACC__
template <class F>
using ComplexOf = thrust::complex<F>;
#define AT_COMPLEX_MATH thrust
#else
template <class F>
using ComplexOf = std::complex<F>;
#define AT_COMPLEX_MATH std
#endif

#define AT_COMPLEX_UNARY(name)                                                           \
  template <class F>                                                                     \
  C10_HOST_DEVICE inline c10::complex<F> name(const c10::complex<F>& z) {                \
    const ComplexOf<F> result = AT_COMPLEX_MATH::name(ComplexOf<F>(z.real(), z.imag())); \
    return c10::complex<F>(result.real(), result.imag());                                \
  }

AT_COMPLEX_UNARY(sqrt)
AT_COMPLEX_UNARY(exp)
AT_COMPLEX_UNARY(log)
AT_COMPLEX_UNARY(sin)
AT_COMPLEX_UNARY(cos)
AT_COMPLEX_UNARY(tan)
AT_COMPLEX_UNARY(asin)
AT_COMPLEX_UNARY(acos)
AT_COMPLEX_UNARY(atan)
AT_COMPLEX_UNARY(sinh)
AT_COMPLEX_UNARY(cosh)
AT_COMPLEX_UNARY(tanh)
AT_COMPLEX_UNARY(asinh)
AT_COMPLEX_UNARY(acosh)
AT_COMPLEX_UNARY(atanh)
#undef AT_COMPLEX_UNARY

// The logarithm of z to a base whose own is 1 / factor.
template <class F>
C10_HOST_DEVICE inline c10::complex<F> scaled_log(const c10::complex<F>& z, F factor) {
  const c10::complex<F> y = log(z);
  return c10::complex<F>(y.real() * factor, y.imag() * factor);
}
template <class F>
C10_HOST_DEVICE inline c10::complex<F> log2(const c10::complex<F>& z) {
  return scaled_log(z, F(1.44269504088896340736));
}
template <class F>
C10_HOST_DEVICE inline c10::complex<F> log10(const c10::complex<F>& z) {
  return scaled_log(z, F(0.43429448190325182765));
}

template <class F>
C10_HOST_DEVICE inline c10::complex<F> exp2(const c10::complex<F>& z) {
  constexpr F ln2 = F(0.693147180559945309417);
  return exp(c10::complex<F>(z.real() * ln2, z.imag() * ln2));
}

// exp(z) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2 + i exp(x) sin(y)
template <class F>
C10_HOST_DEVICE inline c10::complex<F> expm1(const c10::complex<F>& z) {
  const F x = z.real(), y = z.imag();
  if (y == F(0)) {
    return c10::complex<F>(std::expm1(x), y);
  }
  const F a = std::sin(y / F(2)), growth = std::expm1(x);
  return c10::complex<F>(growth * std::cos(y) - F(2) * a * a, (growth + F(1)) * std::sin(y));
}

// log(1 + z), from |1 + z|^2 - 1 where z is small.
template <class F>
C10_HOST_DEVICE inline c10::complex<F> log1p(const c10::complex<F>& z) {
  const F x = z.real(), y = z.imag(), angle = std::atan2(y, x + F(1));
  const F size = std::hypot(x, y), excess = x * (F(2) + x) + y * y;
  const bool small = (size < F(1)) & (excess > F(-0.9));
  return c10::complex<F>(small ? std::log1p(excess) / F(2) : std::log(std::hypot(x + F(1), y)), angle);
}

template <class F>
C10_HOST_DEVICE inline c10::complex<F> pow(const c10::complex<F>& base, const c10::complex<F>& exponent) {
  const ComplexOf<F> result = AT_COMPLEX_MATH::pow(ComplexOf<F>(base.real(), base.imag()),
                                                   ComplexOf<F>(exponent.real(), exponent.imag()));
  return c10::complex<F>(result.real(), result.imag());
}
#undef AT_COMPLEX_MATH

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
