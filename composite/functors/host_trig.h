// Host math: sine, cosine and tangent. Up to 2^20 quarter turns the argument is reduced here, branch-free,
// with pi/2 in parts. Larger arguments, rare, go to the C library's reduction. That decision is taken once
// per SIMD vector: the scalar entry functions are declared with the `simd` attribute, so that vectorised
// loops call the variants defined at the end of this file.
#pragma once

#include <ATen/native/functors/host_basic.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// pi/2 in parts: products of the 33-bit ones with up to 20-bit numbers are exact.
inline constexpr double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34;
inline constexpr double half_pi_3 = 0x1.3198a2e037073p-69, half_pi_2_full = 0x1.0b4611a626331p-34;
inline constexpr double turns_limit = 0x1.8p20;  // below 2^20 quarter turns

enum class Wave { Sine, Cosine, Tangent };

// The sine or cosine of r = |x| less a number of quarter turns, by quadrant; sine is odd in x.
template <Wave wave, class F, class B>
C10_ALWAYS_INLINE F pick_quadrant(F x, F sine, F cosine, B quadrant) {
  constexpr bool cosine_of_x = wave == Wave::Cosine;
  quadrant += cosine_of_x ? 1 : 0;
  const B swap = B(0) - (quadrant & 1);
  const B picked = (bits<B>(cosine) & swap) | (bits<B>(sine) & ~swap);
  const B sign = ((quadrant & 2) << (sizeof(F) * 8 - 2)) ^ (cosine_of_x ? B(0) : bits<B>(x) & ~(~B(0) >> 1));
  return bits<F>(static_cast<B>(picked ^ sign));
}

// The tangent by quadrant, from sine and cosine with what they have lost by rounding.
template <class F, class B>
C10_ALWAYS_INLINE F pick_tangent(F x, F sine, F sine_low, F cosine, F cosine_low, B quadrant) {
  const bool odd = (quadrant & 1) != 0;
  const F above = odd ? cosine : sine, below = odd ? sine : cosine;
  const F above_low = odd ? cosine_low : sine_low, below_low = odd ? sine_low : cosine_low;
  const F quotient = above / below;
  const F rest = (above_low - product_residual(quotient, below, above)) - quotient * below_low;
  const F tangent = quotient + rest / below;
  const B sign = (bits<B>(x) & ~(~B(0) >> 1)) ^ ((quadrant & 1) << (sizeof(F) * 8 - 1));
  return bits<F>(static_cast<B>(bits<B>(tangent) ^ sign));
}

// (tan(r) - r) / r^3 as a polynomial in z = r^2, |r| <= pi/4, to the digits of a float.
C10_ALWAYS_INLINE double short_tan_tail(double z) {
  return polynomial(z, 0x1.5555554d5d19fp-2, 0x1.11111df61b2bbp-3, 0x1.ba14d740991d2p-5, 0x1.66fc0a8395c25p-6,
                    0x1.1a1b9edf49127p-7, 0x1.22047a85765d3p-8, 0x1.27efb63849d09p-35, 0x1.d50a9d1081545p-10);
}

// The function of x, |x| <= turns_limit.
template <Wave wave>
C10_ALWAYS_INLINE float near_wave(float signed_x) {
  const double x = fabs(signed_x);
  const double k = mad(x, 0x1.45f306dc9c883p-1, round_magic<double>) - round_magic<double>;
  const double wide_r = (x - k * half_pi_1) - k * half_pi_2_full;
  if constexpr (wave == Wave::Tangent) {
    const double z = wide_r * wide_r, tangent = mad(wide_r * z, short_tan_tail(z), wide_r);
    const auto turns = bits<uint64_t>(k + round_magic<double>);
    const double quotient = (turns & 1) != 0 ? -1.0 / tangent : tangent;
    return static_cast<float>(bits<uint32_t>(signed_x) >> 31 != 0 ? -quotient : quotient);
  }
  const float r = static_cast<float>(wide_r), z = r * r;
  const float sine =
      mad(r * z, polynomial(z, -0x1.555556p-3f, 0x1.111108p-7f, -0x1.a00f98p-13f, 0x1.6cd73p-19f), r);
  const float cosine =
      mad(z * z, polynomial(z, 0x1.55554ap-5f, -0x1.6c0c86p-10f, 0x1.9a00cep-16f), mad(z, -0.5f, 1.0f));
  const auto quadrant = static_cast<uint32_t>(bits<uint64_t>(k + round_magic<double>));
  return pick_quadrant<wave>(signed_x, sine, cosine, quadrant);
}

template <Wave wave>
C10_ALWAYS_INLINE double near_wave(double signed_x) {
  const double x = fabs(signed_x);
  const double k = mad(x, 0x1.45f306dc9c883p-1, round_magic<double>) - round_magic<double>;
  // r + low = x - k * pi/2 to about 100 bits after the point
  const double t = x - k * half_pi_1, w = k * half_pi_2;
  const double difference = t - w, back = difference - t;
  const double rest = ((t - (difference - back)) - (w + back)) - k * half_pi_3;
  const double r = difference + rest, back2 = r - difference;
  const double low = (difference - (r - back2)) + (rest - back2);

  const double z = r * r, half_z = 0.5 * z;
  const double s = z * polynomial(z, 0x1.111111110f861p-7, -0x1.a01a019c0e4b4p-13, 0x1.71de3574ba22bp-19,
                                  -0x1.ae5e63cd965eap-26, 0x1.5d9246deb1b71p-33);
  const double sine_rest = mad(r * z, s + -0x1.5555555555549p-3, mad(low, -half_z, low));
  const double sine = r + sine_rest;
  const double head = 1.0 - half_z;
  const double c = polynomial(z, 0x1.555555555554cp-5, -0x1.6c16c16c15163p-10, 0x1.a01a019caef66p-16,
                              -0x1.27e4f807d8050p-22, 0x1.1ee9ea6df0e1fp-29, -0x1.8fadd1048ca93p-37);
  const double cosine_rest = ((1.0 - head) - half_z) + mad(z * z, c, -r * low);
  const double cosine = head + cosine_rest;
  const auto quadrant = bits<uint64_t>(k + round_magic<double>);
  if constexpr (wave == Wave::Tangent) {
    return pick_tangent<double>(signed_x, sine, sine_rest - (sine - r), cosine, cosine_rest - (cosine - head),
                                quadrant);
  } else {
    return pick_quadrant<wave>(signed_x, sine, cosine, quadrant);
  }
}

// N numbers at once: all by the fast way, or (one of them large, infinite or NaN) all by the C library.
template <Wave wave, class F>
F library_wave(F x) {
  if constexpr (wave == Wave::Tangent) {
    return std::tan(x);
  } else {
    return wave == Wave::Cosine ? std::cos(x) : std::sin(x);
  }
}

template <int N, Wave wave, class F>
C10_ALWAYS_INLINE void wave_block(const F* x, F* y) {
  bool rare = false;
  for (int i = 0; i < N; ++i) {
    rare |= !(fabs(x[i]) <= static_cast<F>(turns_limit));
  }
  if (__builtin_expect(rare, false)) {
    for (int i = 0; i < N; ++i) {
      y[i] = library_wave<wave>(x[i]);
    }
  } else {
    for (int i = 0; i < N; ++i) {
      y[i] = near_wave<wave>(x[i]);
    }
  }
}

template <Wave wave, class F>
C10_ALWAYS_INLINE F wave_scalar(F x) {
  F y;
  wave_block<1, wave>(&x, &y);
  return y;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)

// What loops call: declarations whose vector variants the compiler takes for granted.
extern "C" {
__attribute__((simd("notinbranch"), const)) float at_sin_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) float at_cos_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) float at_tan_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) double at_sin_f64(double) noexcept;
__attribute__((simd("notinbranch"), const)) double at_cos_f64(double) noexcept;
__attribute__((simd("notinbranch"), const)) double at_tan_f64(double) noexcept;
}

// Their definitions, local to each object file, under the names of the vector function ABI:
// _ZGV<instruction set>N<lanes>v_<name>.
#define AT_WAVE_LOCAL(type, local, symbol)                         \
  __attribute__((used)) static type local(type x) __asm__(symbol); \
  static type local(type x)
#define AT_WAVE_VARIANT(F, isa, lanes, name, wave)                                               \
  typedef F name##_lanes##lanes __attribute__((vector_size(sizeof(F) * lanes)));                 \
  AT_WAVE_LOCAL(name##_lanes##lanes, name##_variant##lanes, "_ZGV" #isa "N" #lanes "v_" #name) { \
    name##_lanes##lanes y;                                                                       \
    wave_block<lanes, wave>(reinterpret_cast<const F*>(&x), reinterpret_cast<F*>(&y));           \
    return y;                                                                                    \
  }
#ifdef __AVX2__
#define AT_WAVE_VARIANT_256(...) AT_WAVE_VARIANT(__VA_ARGS__)
#else
#define AT_WAVE_VARIANT_256(...)
#endif
#ifdef __AVX512F__
#define AT_WAVE_VARIANT_512(...) AT_WAVE_VARIANT(__VA_ARGS__)
#else
#define AT_WAVE_VARIANT_512(...)
#endif
#define AT_WAVE(F, lanes128, lanes256, lanes512, name, wave)              \
  AT_WAVE_LOCAL(F, name##_scalar, #name) { return wave_scalar<wave>(x); } \
  AT_WAVE_VARIANT(F, b, lanes128, name, wave)                             \
  AT_WAVE_VARIANT_256(F, d, lanes256, name, wave)                         \
  AT_WAVE_VARIANT_512(F, e, lanes512, name, wave)

AT_WAVE(float, 4, 8, 16, at_sin_f32, Wave::Sine)
AT_WAVE(float, 4, 8, 16, at_cos_f32, Wave::Cosine)
AT_WAVE(float, 4, 8, 16, at_tan_f32, Wave::Tangent)
AT_WAVE(double, 2, 4, 8, at_sin_f64, Wave::Sine)
AT_WAVE(double, 2, 4, 8, at_cos_f64, Wave::Cosine)
AT_WAVE(double, 2, 4, 8, at_tan_f64, Wave::Tangent)
#undef AT_WAVE
#undef AT_WAVE_LOCAL
#undef AT_WAVE_VARIANT
#undef AT_WAVE_VARIANT_256
#undef AT_WAVE_VARIANT_512

C10_ALWAYS_INLINE float sin(float x) { return at_sin_f32(x); }
C10_ALWAYS_INLINE double sin(double x) { return at_sin_f64(x); }
C10_ALWAYS_INLINE float cos(float x) { return at_cos_f32(x); }
C10_ALWAYS_INLINE double cos(double x) { return at_cos_f64(x); }
C10_ALWAYS_INLINE float tan(float x) { return at_tan_f32(x); }
C10_ALWAYS_INLINE double tan(double x) { return at_tan_f64(x); }

#else

template <class F>
C10_ALWAYS_INLINE F sin(F x) {
  return wave_scalar<Wave::Sine>(x);
}
template <class F>
C10_ALWAYS_INLINE F cos(F x) {
  return wave_scalar<Wave::Cosine>(x);
}
template <class F>
C10_ALWAYS_INLINE F tan(F x) {
  return wave_scalar<Wave::Tangent>(x);
}

#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
