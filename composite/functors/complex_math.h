// Complex overloads of math.h's functions. The host goes through the C library's complex functions, which
// know the branch cuts and signed zeros; the device through thrust.
#pragma once

#include <ATen/native/functors/math.h>
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
AT_COMPLEX_UNARY(tanh)
#undef AT_COMPLEX_UNARY

template <class F>
C10_HOST_DEVICE inline c10::complex<F> pow(const c10::complex<F>& base, const c10::complex<F>& exponent) {
  const ComplexOf<F> result = AT_COMPLEX_MATH::pow(ComplexOf<F>(base.real(), base.imag()),
                                                   ComplexOf<F>(exponent.real(), exponent.imag()));
  return c10::complex<F>(result.real(), result.imag());
}
#undef AT_COMPLEX_MATH

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
