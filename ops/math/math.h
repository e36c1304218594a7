// Real elementary functions for host and device: CUDA's own on the device; on the host branch-free code
// (host_*.h) that the compiler vectorises. Sine and cosine are in math_trig.h.
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_erf.h>
#include <ATen/native/math/host_exp.h>
#include <ATen/native/math/host_log.h>
#include <ATen/native/math/host_pow.h>
#include <ATen/native/math/host_wide.h>
#include <ATen/native/math/host_wide_log.h>
#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

#ifdef __CUDA_ARCH__
#define AT_MATH(name) ::name
#else
#define AT_MATH(name) host::name
#endif

#define AT_MATH_UNARY(name)                       \
  template <class F>                              \
  C10_HOST_DEVICE C10_ALWAYS_INLINE F name(F x) { \
    return AT_MATH(name)(x);                      \
  }
#define AT_MATH_BINARY(name)                           \
  template <class F>                                   \
  C10_HOST_DEVICE C10_ALWAYS_INLINE F name(F x, F y) { \
    return AT_MATH(name)(x, y);                        \
  }

AT_MATH_UNARY(fabs)
AT_MATH_UNARY(sqrt)
AT_MATH_UNARY(floor)
AT_MATH_UNARY(ceil)
AT_MATH_UNARY(trunc)
AT_MATH_UNARY(rint)
AT_MATH_UNARY(exp)
AT_MATH_UNARY(exp2)
AT_MATH_UNARY(log)
AT_MATH_UNARY(log2)
AT_MATH_UNARY(log10)
AT_MATH_UNARY(log1p)
AT_MATH_UNARY(tanh)
AT_MATH_UNARY(erf)
AT_MATH_UNARY(erfc)
AT_MATH_UNARY(erfcx)
AT_MATH_UNARY(erfinv)
AT_MATH_BINARY(copysign)
AT_MATH_BINARY(hypot)
AT_MATH_BINARY(pow)

#undef AT_MATH
#undef AT_MATH_UNARY
#undef AT_MATH_BINARY

// factor / (1 + exp(-x))
template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F scaled_logistic(F x, F factor) {
#ifdef __CUDA_ARCH__
  return factor / (F(1) + ::exp(-x));
#else
  return host::scaled_logistic(x, factor);
#endif
}

template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F logistic(F x) {
  return scaled_logistic(x, F(1));
}

// x * P(x), P the normal distribution function, erfc(-x / sqrt(2)) / 2.
template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F gelu(F x) {
#ifdef __CUDA_ARCH__
  return x * ::normcdf(x);
#else
  return host::gelu(x);
#endif
}

// The same for a result that is rounded to 16 bits.
C10_HOST_DEVICE C10_ALWAYS_INLINE float short_gelu(float x) {
#ifdef __CUDA_ARCH__
  return gelu(x);
#else
  return host::short_gelu(x);
#endif
}

// Its derivative, P(x) + x * exp(-x^2 / 2) / sqrt(2 pi).
template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F gelu_slope(F x) {
#ifdef __CUDA_ARCH__
  return ::normcdf(x) + x * (F(0.3989422804014327) * ::exp(F(-0.5) * x * x));
#else
  return host::gelu_slope(x);
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
