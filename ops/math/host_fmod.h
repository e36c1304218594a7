// Host math: fmod, exact. A quotient with at most as many bits as a mantissa needs one division; longer ones,
// which are rare, go to the C library. As for sine (host_trig.h) that is decided once per SIMD vector, by
// variants of the scalar functions.
#pragma once

#include <ATen/native/math/host_basic.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// The remainder of ax / ay, both positive, the quotient below 2^(mantissa bits + 1). The rounded quotient is
// at most one too large; the remainder is exact in both cases.
template <class F>
C10_ALWAYS_INLINE F short_rest(F ax, F ay) {
  const F quotient = std::trunc(ax / ay);
  F rest;
  if constexpr (has_fma) {
    rest = mad(-quotient, ay, ax);
  } else {
    const F product = quotient * ay;
    rest = (ax - product) - product_residual(quotient, ay, product);
  }
  return rest < F(0) ? rest + ay : rest;
}

template <int N, class F>
C10_ALWAYS_INLINE void fmod_block(const F* x, const F* y, F* out) {
  constexpr F longest = sizeof(F) == 4 ? F(0x1p24) : F(0x1p53);
  bool rare = false;
  for (int i = 0; i < N; ++i) {
    rare |= !((fabs(x[i]) < fabs(y[i]) * longest) & (fabs(y[i]) < F(__builtin_inf())));
  }
  if (__builtin_expect(rare, false)) {
    for (int i = 0; i < N; ++i) {
      out[i] = std::fmod(x[i], y[i]);
    }
  } else {
    for (int i = 0; i < N; ++i) {
      out[i] = copysign(short_rest(fabs(x[i]), fabs(y[i])), x[i]);
    }
  }
}

template <class F>
C10_ALWAYS_INLINE F fmod_scalar(F x, F y) {
  F rest;
  fmod_block<1>(&x, &y, &rest);
  return rest;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)

extern "C" {
__attribute__((simd("notinbranch"), const)) float at_fmod_f32(float, float) noexcept;
__attribute__((simd("notinbranch"), const)) double at_fmod_f64(double, double) noexcept;
}

#define AT_FMOD_LOCAL(type, local, symbol)                                 \
  __attribute__((used)) static type local(type x, type y) __asm__(symbol); \
  static type local(type x, type y)
#define AT_FMOD_VARIANT(F, isa, lanes, name)                                                      \
  typedef F name##_lanes##lanes __attribute__((vector_size(sizeof(F) * lanes)));                  \
  AT_FMOD_LOCAL(name##_lanes##lanes, name##_variant##lanes, "_ZGV" #isa "N" #lanes "vv_" #name) { \
    name##_lanes##lanes rest;                                                                     \
    fmod_block<lanes>(reinterpret_cast<const F*>(&x), reinterpret_cast<const F*>(&y),             \
                      reinterpret_cast<F*>(&rest));                                               \
    return rest;                                                                                  \
  }
AT_FMOD_LOCAL(float, at_fmod_f32_scalar, "at_fmod_f32") { return fmod_scalar(x, y); }
AT_FMOD_LOCAL(double, at_fmod_f64_scalar, "at_fmod_f64") { return fmod_scalar(x, y); }
AT_FMOD_VARIANT(float, b, 4, at_fmod_f32)
AT_FMOD_VARIANT(double, b, 2, at_fmod_f64)
#ifdef __AVX2__
AT_FMOD_VARIANT(float, d, 8, at_fmod_f32)
AT_FMOD_VARIANT(double, d, 4, at_fmod_f64)
#endif
#ifdef __AVX512F__
AT_FMOD_VARIANT(float, e, 16, at_fmod_f32)
AT_FMOD_VARIANT(double, e, 8, at_fmod_f64)
#endif
#undef AT_FMOD_LOCAL
#undef AT_FMOD_VARIANT

C10_ALWAYS_INLINE float fmod(float x, float y) { return at_fmod_f32(x, y); }
C10_ALWAYS_INLINE double fmod(double x, double y) { return at_fmod_f64(x, y); }

#else

template <class F>
C10_ALWAYS_INLINE F fmod(F x, F y) {
  return fmod_scalar(x, y);
}

#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
