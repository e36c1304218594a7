// Host math: the error function, its complement and inverse, and the normal distribution function. The tails
// of the first three are exp(-t^2) * erfcx(t), (1 + 2t) * erfcx(t) a polynomial in q = (t - K) / (t + K), as
// Shepherd and Laframboise have it (1981). README.md has the errors and the coefficients' origins.
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_exp.h>
#include <ATen/native/math/host_log.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// For t up to 10 in float and to 27 in double, where erfc is 0, by fits that weren't recorded.
C10_ALWAYS_INLINE float scaled_erfc_numerator(float t) {
  const float q = (t - 2.0f) / (t + 2.0f);
  return polynomial(q, 0x1.46e80ep+0f, -0x1.7bf5fap-4f, -0x1.54085cp-3f, 0x1.4ffacep-3f, -0x1.bc07a6p-5f,
                    -0x1.076dc2p-7f, 0x1.1ad742p-7f, 0x1.48dd02p-10f, -0x1.48272cp-10f, -0x1.67bb7ap-12f,
                    0x1.37fceep-15f);
}
inline constexpr double scaled_erfc_middle = 0x1.3ba5916e9fd7fp+0;
C10_ALWAYS_INLINE double scaled_erfc_slope(double q) {
  return polynomial(q, -0x1.1df1ad154a29cp-3, 0x1.f7f5df66fd71fp-7, 0x1.16ecefcfa6043p-4,
                    -0x1.9ddb23c3e8a50p-4, 0x1.7fee004df6ab4p-4, -0x1.0fb06dfe58c95p-4, 0x1.3079edf9f9c20p-5,
                    -0x1.0962388077a41p-6, 0x1.49c67191a4473p-8, -0x1.8d4a9feecd917p-11,
                    -0x1.a1de83cd60204p-13, 0x1.3be0d2db77b81p-13, -0x1.9969d63412f10p-16,
                    -0x1.78a872542a9f3p-17, 0x1.7fae64693b268p-18, 0x1.44392267ac0fcp-22,
                    -0x1.bfe13381f7785p-21, 0x1.0bf57be74cf6dp-24, 0x1.ec09e0d28c61cp-24,
                    -0x1.0b46ffced3210p-27, -0x1.cbf3ae9f331d8p-27, -0x1.d826274f7c1b1p-30);
}
C10_ALWAYS_INLINE double scaled_erfc_numerator(double t) {
  const double q = (t - 4.0) / (t + 4.0);
  return mad(q, scaled_erfc_slope(q), scaled_erfc_middle);
}
template <class F>
C10_ALWAYS_INLINE F scaled_erfc(F t) {
  return scaled_erfc_numerator(t) / mad(F(2), t, F(1));
}

// A square and its rounding error.
template <class F>
struct Square {
  F head, rest;
};

template <class F>
C10_ALWAYS_INLINE Square<F> exact_square(F t) {
  if constexpr (has_fma) {
    const F square = t * t;
    return {square, mad(t, t, -square)};
  } else {
    constexpr Bits<F> head_mask = sizeof(F) == 4 ? Bits<F>(0xfffff000u) : Bits<F>(0xfffffffff8000000ULL);
    const F head = bits<F>(static_cast<Bits<F>>(bits<Bits<F>>(t) & head_mask));
    return {head * head, (t - head) * (t + head)};
  }
}

// exp(-factor * t^2) for a factor that is a power of two and |t| up to where that is zero.
template <class F>
C10_ALWAYS_INLINE F exp_minus_square(F t, F factor) {
  const Square<F> square = exact_square(t);
  return exp_below_zero(-factor * square.head, -factor * square.rest);
}

// erf(x) / x - 1 as a polynomial in z = x^2, |x| <= 1, by fits that weren't recorded.
C10_ALWAYS_INLINE float erf_excess(float z) {
  return short_polynomial(z, 0x1.06eba8p-3f, -0x1.812746p-2f, 0x1.ce2f08p-4f, -0x1.b829a8p-6f, 0x1.5628eep-8f,
                          -0x1.bcbe9cp-11f, 0x1.d8269ap-14f, -0x1.438414p-17f);
}
C10_ALWAYS_INLINE double erf_excess(double z) {
  return polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b20p-4,
                    -0x1.b82ce312849a0p-6, 0x1.565bcd0db035dp-8, -0x1.c02db3d8ee772p-11,
                    0x1.f9a321a1435fdp-14, -0x1.f4d1df3c07744p-17, 0x1.b9def1bfeda34p-20,
                    -0x1.5f1d37d91ae3bp-23, 0x1.f7a41d8645ec2p-27, -0x1.386ae2bcada71p-30,
                    0x1.057a03d1dc616p-34);
}

// erfc(t) for 0.875 <= t <= 4, as accurate as 1 - erfc(t) needs, by a fit that wasn't recorded.
C10_ALWAYS_INLINE float short_erfc(float t) {
  return short_exp2(t * short_polynomial(t, -0x1.a0cc54p+0f, -0x1.d58d7p-1f, -0x1.37271ep-3f, 0x1.0ee35ep-5f,
                                         -0x1.30dda8p-8f, 0x1.4570ecp-12f));
}
C10_ALWAYS_INLINE double short_erfc(double t) { return exp_minus_square(t, 1.0) * scaled_erfc(t); }

template <class F>
C10_ALWAYS_INLINE F erf(F x) {
  constexpr F last = sizeof(F) == 4 ? F(4) : F(8);  // where it is 1
  const F t = fabs(x), large = F(1) - short_erfc(t > last ? last : t);
  return copysign(t < F(0.875) ? mad(t, erf_excess(t * t), t) : large, x);
}

// exp(-t^2) * erfcx(t), corrected for the rounding error of its quotient.
C10_ALWAYS_INLINE double erfc_tail(double t) {
  const double turn = (t - 4.0) / (t + 4.0), slope = turn * scaled_erfc_slope(turn);
  const double above = scaled_erfc_middle + slope, above_low = (scaled_erfc_middle - above) + slope;
  const double below = mad(2.0, t, 1.0), below_low = 1.0 - (below - 2.0 * t), q = above / below;
  const double low = (above_low - product_residual(q, below, above) - q * below_low) / below;
  const double bell = exp_minus_square(t, 1.0), product = bell * q;
  return product + mad(bell, low, product_residual(bell, q, product));
}
C10_ALWAYS_INLINE float erfc_tail(float single) {
  const double t = single, q = (t - 2.0) / (t + 2.0);
  const double p = polynomial(q, 0x1.46e80ep+0, -0x1.7bf5fap-4, -0x1.54085cp-3, 0x1.4ffacep-3, -0x1.bc07a6p-5,
                              -0x1.076dc2p-7, 0x1.1ad742p-7, 0x1.48dd02p-10, -0x1.48272cp-10, -0x1.67bb7ap-12,
                              0x1.37fceep-15);
  return static_cast<float>(exp(-t * t) * (p / (2.0 * t + 1.0)));
}

// 1 - erf(x), accurate in the tail. Up to 0.75 the difference in double is more accurate; the tail in float
// is computed in double.
template <class F>
C10_ALWAYS_INLINE F erfc(F x) {
  constexpr F tail_begin = sizeof(F) == 4 ? F(0.5) : F(0.75);
  const F t = fabs(x);
  const F tail = erfc_tail(t > F(27.3) ? F(27.3) : t);  // erfc(27.3) is 0
  const F small = F(1) - mad(x, erf_excess(x * x), x);
  return t < tail_begin ? small : (x < F(0) ? F(2) - tail : tail);
}

// Where the polynomial of scaled_erfc ends, and the asymptotic series is accurate.
template <class F>
inline constexpr F erfcx_series_begin = sizeof(F) == 4 ? F(10) : F(26);

// exp(t^2) * erfc(t) from there on: (1 - z/2 + 3 z^2/4 - 15 z^3/8 + ...) / (t sqrt(pi)), z = 1 / t^2.
template <class F>
C10_ALWAYS_INLINE F far_erfcx(F t) {
  const F first = F(0.56418958354775628695) / t, z = first * first * F(3.14159265358979323846);
  if constexpr (sizeof(F) == 4) {
    return mad(first * z, polynomial(z, -0.5f, 0.75f, -1.875f, 6.5625f), first);
  } else {
    return mad(first * z, polynomial(z, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875, -1055.7421875),
               first);
  }
}

// exp(x^2) * erfc(x)
template <class F>
C10_ALWAYS_INLINE F erfcx(F x) {
  constexpr F begin = erfcx_series_begin<F>;
  const F t = fabs(x), near = t < begin ? t : begin, far = t < begin ? begin : t;
  const F beyond = t < begin ? scaled_erfc(near) : far_erfcx(far);
  const Square<F> square = exact_square(t < F(40) ? t : F(40));
  return x < F(0) ? F(2) * exp_sum(square.head, square.rest) - beyond : beyond;
}

// A first approximation of erfinv(x) / x, from w = -log(1 - x^2): Giles's variables (2012), by interpolation
// at Chebyshev's points of w from 0 to 5, and of sqrt(w) up to 6.2.
C10_ALWAYS_INLINE double erfinv_start(double w) {
  const double near = w - 2.5, far = std::sqrt(w) - 3.0;
  const double a = polynomial(near, 0x1.805c5cfcedef5p+0, 0x1.f91e8b47bc332p-3, -0x1.11c3ccf583fccp-8,
                              -0x1.4866876636aa3p-10, 0x1.c9b8392b34813p-13, -0x1.4cd6db31136aep-18,
                              -0x1.cb7b9e68dc51ap-19, 0x1.f3bcf6b20a36ap-22, 0x1.129bb8c97f855p-26,
                              -0x1.2c4526ac24209p-27, 0x1.00d79ace31a9fp-31);
  const double b =
      polynomial(far, 0x1.6a9eee189c346p+1, 0x1.006dbc2a84ef3p+0, 0x1.36cd9a5a81527p-7, -0x1.f87b4dfceb7c5p-8,
                 0x1.6dbaaa3ded8bbp-8, -0x1.ae6390742679dp-9, 0x1.6434e5c9481fcp-10, -0x1.78926baf21278p-12,
                 0x1.c3fd5b58e5ff7p-15, -0x1.d274a12019e16p-19);
  return w < 5.0 ? a : b;
}

// One step of Halley's method, on erfc where erf would be near 1. Two quotients, that of erfc's tail and the
// step's own, are combined into one.
C10_ALWAYS_INLINE double erfinv(double x) {
  const double t = fabs(x), w = -log((1.0 - t) * (1.0 + t));
  const double y = t * erfinv_start(w < 40.0 ? w : 40.0);
  const double bell = exp_minus_square(y, 1.0), base = mad(2.0, y, 1.0);
  const double low = mad(y, erf_excess(y * y), y) - t,
               high = (1.0 - t) * base - bell * scaled_erfc_numerator(y);
  const double above = t < 0.7 ? low : high;
  const double below = bell * 1.12837916709551257390 * (t < 0.7 ? 1.0 : base);
  const double result = y - above / mad(y, above, below);
  const double ends = t == 1.0 ? __builtin_inf() : __builtin_nan("");
  return copysign(t < 1.0 ? result : ends, x);
}

// In float it is accurate enough, by fits that weren't recorded.
C10_ALWAYS_INLINE float erfinv(float x) {
  const float t = fabs(x), inside = (1.0f - t) * (1.0f + t);
  const Split<float> part = split_exponent(inside);
  const float w = -log_parts(part.mantissa - 1.0f, part.exponent);
  const float near =
      polynomial(w - 1.0f, 0x1.209b9cp+0f, 0x1.fb8fcep-3f, 0x1.16908ep-8f, -0x1.377b24p-9f, 0x1.a50e58p-14f,
                 0x1.40312ep-15f, -0x1.291d9cp-18f, -0x1.0b6222p-21f, 0x1.21d4dap-23f, -0x1.197a08p-27f);
  const float far = polynomial(std::sqrt(w) - 3.0f, 0x1.6a9efcp+1f, 0x1.006dc8p+0f, 0x1.357edep-7f,
                               -0x1.f4af04p-8f, 0x1.74b28p-8f, -0x1.d62bfap-9f, 0x1.85eb6ep-10f,
                               -0x1.30869ap-14f, -0x1.476298p-12f, 0x1.047bbp-13f);
  const float ends = t == 1.0f ? __builtin_inff() : __builtin_nanf("");
  return copysign(t < 1.0f ? t * (w < 5.0f ? near : far) : ends, x);
}

// The normal distribution function P(-u), 0 <= u <= end, where it becomes zero, in parts: P(-u) = exp(-u^2 /
// 2) * (1 + excess(a)) / (2 (u + middle)), where a = u / (u + middle), by fits that weren't recorded.
template <class F>
struct NormalTail;
template <>
struct NormalTail<float> {
  static constexpr float end = 14.5f, middle = 2.0f;
  static constexpr int lift = 32;  // 2^lift times the result is a normal number wherever it is not zero
  static C10_ALWAYS_INLINE float excess(float a) {
    return polynomial(a - 0x1.afb258p-2f, 0x1.ccb458p-2f, -0x1.59d87cp+0f, 0x1.7f1afap-4f, 0x1.22fd9ep-1f,
                      0x1.06fd62p-3f, -0x1.301b82p-2f, -0x1.32353cp-2f, -0x1.b5fdbep-7f, 0x1.1173b2p-2f,
                      0x1.2498b6p-2f, -0x1.1d5aecp-4f, -0x1.163082p-2f);
  }
};
template <>
struct NormalTail<double> {
  static constexpr double end = 38.6, middle = 2.0;
  static constexpr int lift = 64;
  static C10_ALWAYS_INLINE double excess(double a) {
    return polynomial(a - 0x1.032p-1, 0x1.58d0be93ca39p-2, -0x1.529f14c96f78p+0, 0x1.edd68c13187ebp-3,
                      0x1.2c86bc0ac4ce8p-1, -0x1.cfa91d2b1a528p-6, -0x1.c1ec1e3813f95p-2,
                      -0x1.ecf9d7f28099bp-3, 0x1.c68c8db541b79p-3, 0x1.bd2f9c690c28p-2, 0x1.923a660c3868ep-3,
                      -0x1.17c37538675cp-2, -0x1.1b79bf7a66408p-1, -0x1.72eab2e53da1ep-2,
                      0x1.c81ebbd90417cp-3, 0x1.93954bcba00d9p-1, 0x1.b090e9e87291dp-1, 0x1.5ff5f34e19d0cp-3,
                      -0x1.d72b208c4c271p-1, -0x1.a848f942f4d47p+0, -0x1.7f92d8b81a393p+0,
                      -0x1.0ea8e0b688256p-1, 0x1.0aed372585034p+1, 0x1.bbf053d96e80bp+2, 0x1.a864b1b76e3acp+2,
                      -0x1.c82edf0a9e69p+2, -0x1.1e7da2c968307p+4, -0x1.0504c5dfbdc54p+2,
                      0x1.a45f437744568p+3, 0x1.0dba2f4c727eep+3);
  }
};

// exp(-u^2 / 2) = 2^k * (1 + excess)
template <class F>
struct Bell {
  F k, excess;
};

template <class F>
C10_ALWAYS_INLINE Bell<F> normal_bell(F u) {
  const F half = F(-0.5) * u, square = half * u;
  const ReducedExponent<F> a = reduced_exponent(square, product_residual(half, u, square));
  return {a.k, exp_excess(a)};
}

// a * (1 + p) * (1 + q) + rest, for |p| and |q| about 1 or less and a far smaller rest, with few rounded
// products.
template <class F>
C10_ALWAYS_INLINE F scaled_by_excesses(F a, F p, F q, F rest) {
  if constexpr (has_fma) {
    return a + mad(a, mad(p, q, q) + p, rest);
  } else {
    const F sum = p + q, back = sum - p, low = (p - (sum - back)) + (q - back);
    return a + careful_mad(a, sum, mad(a, mad(p, q, low), rest));
  }
}

// x * P(x) as max(x, 0) - u * P(-u), u = |x|. The rounding errors of the sum and the quotient are added at
// the end, where they matter less as u grows. NaN is propagated by x, at the end.
template <class F>
C10_ALWAYS_INLINE F gelu(F x) {
  using Tail = NormalTail<F>;
  const F u = smaller(fabs(x), Tail::end), sum = u + Tail::middle, a = u / sum, beyond = F(1) - a;
  const F lost = mad(-a, u - (sum - Tail::middle), -product_residual(a, sum, u));
  const Bell<F> bell = normal_bell(u);
  const F tail = scaled_by_excesses(a, Tail::excess(a), bell.excess, lost * (beyond * beyond));
  return mad(-(tail * power_of_two(bell.k, Tail::lift - 1)), power_of_two(F(-Tail::lift)),
             x < F(0) ? F(-0.0) : x);
}

// The same to 13 bits, for normal values of Half to 16, for results that are rounded to at most 11: P(-u) is
// a power of two, whose exponent is a polynomial by a fit that wasn't recorded.
C10_ALWAYS_INLINE float short_gelu(float x) {
  constexpr float end = 13.625f;  // where the result underflows BFloat16
  constexpr int lift = 32;
  const float u = smaller(fabs(x), end);
  const float log2_below_half = u * short_polynomial(u, -0x1.26b516p+0f, -0x1.d565f6p-2f, -0x1.bc6c64p-5f,
                                                     0x1.1fa8aap-7f, -0x1.11de0cp-10f, 0x1.6b3a34p-14f,
                                                     -0x1.39ce7p-18f, 0x1.3b145cp-23f, -0x1.159432p-29f);
  return mad(-(u * short_exp2(log2_below_half, lift - 1)), power_of_two(float(-lift)), x < 0.0f ? -0.0f : x);
}

// Its derivative, P(x) + x * exp(-x^2 / 2) / sqrt(2 pi).
template <class F>
C10_ALWAYS_INLINE F gelu_slope(F x) {
  using Tail = NormalTail<F>;
  const F t = fabs(x), u = t > Tail::end ? Tail::end : t;  // propagates NaN, as nothing else does
  const F a = u / (u + Tail::middle);
  const F part = (F(1) - a) * (F(0.5) / Tail::middle);  // 1 / (2 (u + middle))
  const F scaled = mad(-u, F(0.3989422804014327), mad(part, Tail::excess(a), part));
  const Bell<F> bell = normal_bell(u);
  const F lifted = mad(scaled, bell.excess, scaled) * power_of_two(bell.k, Tail::lift);
  const F below = lifted * power_of_two(F(-Tail::lift));
  return x < F(0) ? below : F(1) - below;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
