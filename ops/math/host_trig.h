// Host math: sine, cosine and tangent. Up to 2^20 quarter turns the argument is reduced here, branch-free,
// with pi/2 in parts. Larger arguments, which are rare, use the C library's reduction. That is decided once
// per SIMD vector (host_lanes.h).
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_lanes.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// pi/2 in parts, as in fdlibm: products of the 33-bit ones with up to 20-bit integers are exact.
inline constexpr double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34;
inline constexpr double half_pi_3 = 0x1.3198a2e037073p-69, half_pi_2_full = 0x1.0b4611a626331p-34;
inline constexpr double turns_limit = 0x1.8p20;  // below 2^20 quarter turns

enum class Wave { Sine, Cosine, Tangent };

// The sine or cosine of r = |x| minus a number of quarter turns, by quadrant; sine is odd in x.
template <Wave wave, class F, class B>
C10_ALWAYS_INLINE F pick_quadrant(F x, F sine, F cosine, B quadrant) {
  constexpr bool cosine_of_x = wave == Wave::Cosine;
  quadrant += cosine_of_x ? 1 : 0;
  const B swap = B(0) - (quadrant & 1);
  const B picked = (bits<B>(cosine) & swap) | (bits<B>(sine) & ~swap);
  const B sign = ((quadrant & 2) << (sizeof(F) * 8 - 2)) ^ (cosine_of_x ? B(0) : bits<B>(x) & ~(~B(0) >> 1));
  return bits<F>(static_cast<B>(picked ^ sign));
}

// The sine or cosine of x from r, |r| <= pi/4, by fits that weren't recorded.
template <Wave wave>
C10_ALWAYS_INLINE float quarter_wave(float x, float r, uint32_t quadrant) {
  const float z = r * r;
  const float sine =
      mad(r * z, polynomial(z, -0x1.555556p-3f, 0x1.111108p-7f, -0x1.a00f98p-13f, 0x1.6cd73p-19f), r);
  const float cosine =
      mad(z * z, polynomial(z, 0x1.55554ap-5f, -0x1.6c0c86p-10f, 0x1.9a00cep-16f), mad(z, -0.5f, 1.0f));
  return pick_quadrant<wave>(x, sine, cosine, quadrant);
}

// The tangent by quadrant, from sine and cosine with their rounding errors.
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

// (tan(r) - r) / r^3 as a polynomial in z = r^2, |r| <= pi/4, to the precision of float: by interpolation at
// Chebyshev's points.
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
  const auto quadrant = static_cast<uint32_t>(bits<uint64_t>(k + round_magic<double>));
  return quarter_wave<wave>(signed_x, static_cast<float>(wide_r), quadrant);
}

// The sine or cosine of x, |x| <= short_turns_limit, where a fused multiply-add is one instruction: pi/2 in
// three floats, each subtracting what the ones before left.
inline constexpr float short_turns_limit = 0x1p15f;
template <Wave wave>
C10_ALWAYS_INLINE float short_wave(float signed_x) {
  const float x = fabs(signed_x), turns = mad(x, 0x1.45f306p-1f, round_magic<float>);
  const float k = turns - round_magic<float>;
  const float r = mad(-k, -0x1.ee59dap-50f, mad(-k, -0x1.777a5cp-25f, mad(-k, 0x1.921fb6p+0f, x)));
  return quarter_wave<wave>(signed_x, r, bits<uint32_t>(turns));
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

  // Both polynomials are by fits that weren't recorded.
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

template <Wave wave, class F>
F library_wave(F x) {
  if constexpr (wave == Wave::Tangent) {
    return std::tan(x);
  } else {
    return wave == Wave::Cosine ? std::cos(x) : std::sin(x);
  }
}

template <class V, class F>
C10_ALWAYS_INLINE bool all_within(V x, F limit) {
  if constexpr (std::is_floating_point_v<V>) {
    return fabs(x) <= limit;
  } else {
    return !any_lane(~((x <= limit) & (x >= -limit)));
  }
}

// N values at once: all by the fastest method that is valid for each of them.
template <Wave wave, class F, class V>
C10_ALWAYS_INLINE V wave_lanes(V x) {
  if constexpr (has_fma && sizeof(F) == 4 && wave != Wave::Tangent) {
    if (__builtin_expect(all_within(x, short_turns_limit), true)) {
      return each_lane(x, [](F one) C10_ALWAYS_INLINE_ATTRIBUTE { return short_wave<wave>(one); });
    }
  }
  if (__builtin_expect(all_within(x, static_cast<F>(turns_limit)), true)) {
    return each_lane(x, [](F one) C10_ALWAYS_INLINE_ATTRIBUTE { return near_wave<wave>(one); });
  }
  return each_lane(x, [](F one) { return library_wave<wave>(one); });
}

#ifdef AT_HAS_VECTOR_VARIANTS

// What loops call: declarations whose vector variants the compiler assumes to exist.
extern "C" {
__attribute__((simd("notinbranch"), const)) float at_sin_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) float at_cos_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) float at_tan_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) double at_sin_f64(double) noexcept;
__attribute__((simd("notinbranch"), const)) double at_cos_f64(double) noexcept;
__attribute__((simd("notinbranch"), const)) double at_tan_f64(double) noexcept;
}

AT_FLOAT_VARIANTS(at_sin_f32, (wave_lanes<Wave::Sine, float>))
AT_FLOAT_VARIANTS(at_cos_f32, (wave_lanes<Wave::Cosine, float>))
AT_FLOAT_VARIANTS(at_tan_f32, (wave_lanes<Wave::Tangent, float>))
AT_DOUBLE_VARIANTS(at_sin_f64, (wave_lanes<Wave::Sine, double>))
AT_DOUBLE_VARIANTS(at_cos_f64, (wave_lanes<Wave::Cosine, double>))
AT_DOUBLE_VARIANTS(at_tan_f64, (wave_lanes<Wave::Tangent, double>))

C10_ALWAYS_INLINE float sin(float x) { return at_sin_f32(x); }
C10_ALWAYS_INLINE double sin(double x) { return at_sin_f64(x); }
C10_ALWAYS_INLINE float cos(float x) { return at_cos_f32(x); }
C10_ALWAYS_INLINE double cos(double x) { return at_cos_f64(x); }
C10_ALWAYS_INLINE float tan(float x) { return at_tan_f32(x); }
C10_ALWAYS_INLINE double tan(double x) { return at_tan_f64(x); }

#else

template <class F>
C10_ALWAYS_INLINE F sin(F x) {
  return wave_lanes<Wave::Sine, F>(x);
}
template <class F>
C10_ALWAYS_INLINE F cos(F x) {
  return wave_lanes<Wave::Cosine, F>(x);
}
template <class F>
C10_ALWAYS_INLINE F tan(F x) {
  return wave_lanes<Wave::Tangent, F>(x);
}

#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
