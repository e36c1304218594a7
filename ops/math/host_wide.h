// Host math: functions of a whole AVX-512 register, with the instructions of that set: scaling by a power of
// two of any size, exponent and mantissa of any value, and tables in registers. Loops over functors that take
// registers (takes_registers in types.h) call them. Unless a comment says otherwise the polynomials are by
// fits that weren't recorded; README.md compares them with new ones.
#pragma once

#include <c10/macros/Macros.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__GNUC__) && !defined(__CUDACC__)
#define AT_HAS_WIDE_MATH 1
#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_wide_tables.h>
#include <immintrin.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

typedef float Floats __attribute__((vector_size(64)));
typedef double Doubles __attribute__((vector_size(64)));

// a * b + c.
C10_ALWAYS_INLINE Floats mad(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
C10_ALWAYS_INLINE Doubles mad(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
// c - a * b.
C10_ALWAYS_INLINE Floats residual(Floats a, Floats b, Floats c) { return _mm512_fnmadd_ps(a, b, c); }
C10_ALWAYS_INLINE Doubles residual(Doubles a, Doubles b, Doubles c) { return _mm512_fnmadd_pd(a, b, c); }
C10_ALWAYS_INLINE Floats all(float x) { return _mm512_set1_ps(x); }
C10_ALWAYS_INLINE Doubles all(double x) { return _mm512_set1_pd(x); }

// c0 + x * (c1 + x * (...)) with coefficients of each lane.
template <class V>
C10_ALWAYS_INLINE V lane_polynomial(V, V c0) {
  return c0;
}
template <class V, class... C>
C10_ALWAYS_INLINE V lane_polynomial(V x, V c0, C... rest) {
  return mad(x, lane_polynomial(x, rest...), c0);
}
template <class... C>
C10_ALWAYS_INLINE Floats wide_polynomial(Floats x, C... c) {
  return lane_polynomial(x, all(static_cast<float>(c))...);
}
template <class... C>
C10_ALWAYS_INLINE Doubles wide_polynomial(Doubles x, C... c) {
  return lane_polynomial(x, all(static_cast<double>(c))...);
}

// table[i] by the low bits of i, as many as the table needs.
C10_ALWAYS_INLINE Floats look_up(const float (&table)[16], __m512i i) {
  return _mm512_permutexvar_ps(i, _mm512_load_ps(table));
}
C10_ALWAYS_INLINE Floats look_up(const float (&table)[32], __m512i i) {
  return _mm512_permutex2var_ps(_mm512_load_ps(table), i, _mm512_load_ps(table + 16));
}
C10_ALWAYS_INLINE Doubles look_up(const double (&table)[16], __m512i i) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), i, _mm512_load_pd(table + 8));
}

// x clamped to [low, high]; NaN stays.
C10_ALWAYS_INLINE Floats clamp(Floats x, float low, float high) {
  return _mm512_max_ps(all(low), _mm512_min_ps(all(high), x));
}
C10_ALWAYS_INLINE Doubles clamp(Doubles x, double low, double high) {
  return _mm512_max_pd(all(low), _mm512_min_pd(all(high), x));
}

// log(2) in two parts, the first short enough for exact products with exponents.
inline constexpr float short_ln2 = 0x1.62e4p-1f, short_ln2_rest = 0x1.7f7d1cp-20f;
inline constexpr double long_ln2 = 0x1.62e42feep-1, long_ln2_rest = 0x1.a39ef35793c76p-33;
inline constexpr double sixteenth_magic = 0x1.8p48;  // adding it rounds to a multiple of 1/16

C10_ALWAYS_INLINE Floats exp(Floats x) {
  const Floats c = clamp(x, -104.0f, 89.0f), magic = all(round_magic<float>);
  const Floats k = mad(c, all(0x1.715476p0f), magic) - magic;
  const Floats r = residual(k, all(short_ln2_rest), residual(k, all(short_ln2), c));
  return _mm512_scalef_ps(wide_polynomial(r, 1, 1, 0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558f4p-5f,
                                          0x1.123a6ap-7f, 0x1.6a2368p-10f),
                          k);
}

// exp(x) = 2^k exp(r) for a multiple k of 1/16; its integer part is applied by scaling.
C10_ALWAYS_INLINE Doubles exp(Doubles x) {
  const Doubles c = clamp(x, -746.0, 710.0), magic = all(sixteenth_magic);
  const Doubles turn = mad(c, all(0x1.71547652b82fep0), magic), k = turn - magic;
  const Doubles r = residual(k, all(long_ln2_rest), residual(k, all(long_ln2), c));
  const auto i = bits<__m512i>(turn);
  const Doubles power = look_up(root_power, i);
  const Doubles tail = wide_polynomial(r, 0x1.0000000000005p-1, 0x1.555555548f747p-3, 0x1.5555555462aabp-5,
                                       0x1.11123abe1cff4p-7, 0x1.6c1859fd588acp-10);
  const Doubles rest = mad(power, mad(r * r, tail, r), look_up(root_power_low, i));
  return _mm512_scalef_pd(power + rest, k);
}

// The magnitude with the sign of x.
C10_ALWAYS_INLINE __m512i with_sign(__m512i magnitude, __m512i x, __m512i sign) {
  return _mm512_ternarylogic_epi64(magnitude, x, sign, 0xf8);
}

C10_ALWAYS_INLINE Floats tanh(Floats x) {
  constexpr float step = 37.0f / 128;
  const __m512i sign = _mm512_set1_epi32(INT32_MIN);
  const Floats magnitude = bits<Floats>(_mm512_andnot_si512(sign, bits<__m512i>(x)));
  const Floats y = _mm512_min_ps(all(9.1f), magnitude), magic = all(round_magic<float>);
  const Floats turn = mad(y, all(1 / step), magic), r = mad(magic - turn, all(step), y);
  const auto i = bits<__m512i>(turn);
  const Floats result = lane_polynomial(
      r, look_up(tanh_term0, i), look_up(tanh_term1, i), look_up(tanh_term2, i), look_up(tanh_term3, i),
      look_up(tanh_term4, i), look_up(tanh_term5, i), look_up(tanh_term6, i));
  return bits<Floats>(with_sign(bits<__m512i>(result), bits<__m512i>(x), sign));
}

// f / (f + 1) with f = (exp(2 y) - 1) / 2 = 2^k p + (2^k - 1) / 2, p = (exp(2 r) - 1) / 2, k a multiple of
// 1/16.
C10_ALWAYS_INLINE Doubles tanh(Doubles x) {
  const __m512i sign = _mm512_set1_epi64(INT64_MIN);
  const Doubles magnitude = bits<Doubles>(_mm512_andnot_si512(sign, bits<__m512i>(x)));
  const Doubles y = _mm512_min_pd(all(20.0), magnitude), magic = all(sixteenth_magic);
  const Doubles turn = mad(y, all(0x1.71547652b82fep1), magic), k = turn - magic;
  const auto i = bits<__m512i>(turn);
  const Doubles head = residual(k, all(long_ln2 / 2), y);
  const Doubles low = residual(k, all(long_ln2_rest / 2), look_up(half_log_low, i)), r = head + low;
  const Doubles tail = wide_polynomial(r, 0x1.0000000000003p+0, 0x1.5555555555559p-1, 0x1.55555554ac435p-2,
                                       0x1.111111108f55bp-3, 0x1.6c182051d1918p-5, 0x1.a01b893384ff0p-7);
  const Doubles p = head + mad(r * r, tail, low);
  const Doubles power = _mm512_scalef_pd(look_up(root_power, i), k);
  const Doubles f = mad(power, p, mad(power, all(0.5), all(-0.5))), sum = f + 1.0, quotient = f / sum;
  // For f < 1, the rounding errors of the sum and the quotient; 1 - quotient is 1 / sum.
  const Doubles rest = residual(quotient, f - (sum - 1.0), residual(quotient, sum, f));
  const __mmask8 small = _mm512_cmp_pd_mask(f, all(1.0), _CMP_LT_OQ);
  const Doubles result = _mm512_mask3_fmadd_pd(rest, 1.0 - quotient, quotient, small);
  return bits<Doubles>(with_sign(bits<__m512i>(result), bits<__m512i>(x), sign));
}

// The correctly rounded root from an approximate 1 / sqrt(x). The residual of the last step is exact above
// 2^-100; a register with smaller values (except zeros), infinities, NaNs or negative ones takes the slow
// path.
C10_ALWAYS_INLINE Floats sqrt(Floats x) {
  constexpr int32_t smallest = 0x0d800000, infinity = 0x7f800000;
  const auto word = bits<__m512i>(x);
  const __mmask16 nonzero = _mm512_test_epi32_mask(word, _mm512_set1_epi32(INT32_MAX));
  const __m512i above = _mm512_sub_epi32(word, _mm512_set1_epi32(smallest));
  const __mmask16 rare = _mm512_mask_cmpge_epu32_mask(nonzero, above, _mm512_set1_epi32(infinity - smallest));
  if (__builtin_expect(rare != 0, false)) return _mm512_sqrt_ps(x);
  const Floats inverse = _mm512_maskz_rsqrt14_ps(nonzero, x), half = inverse * 0.5f, first = x * inverse;
  const Floats error = residual(first, half, all(0.5f));
  const Floats slope = mad(half, error, half), root = mad(first, error, first);
  return mad(residual(root, root, x), slope, root);
}

// Likewise, with one more step; the residual is exact above 2^-900.
C10_ALWAYS_INLINE Doubles sqrt(Doubles x) {
  constexpr int64_t smallest = 0x07b0000000000000, infinity = 0x7ff0000000000000;
  const auto word = bits<__m512i>(x);
  const __mmask8 nonzero = _mm512_test_epi64_mask(word, _mm512_set1_epi64(INT64_MAX));
  const __m512i above = _mm512_sub_epi64(word, _mm512_set1_epi64(smallest));
  const __mmask8 rare = _mm512_mask_cmpge_epu64_mask(nonzero, above, _mm512_set1_epi64(infinity - smallest));
  if (__builtin_expect(rare != 0, false)) return _mm512_sqrt_pd(x);
  const Doubles inverse = _mm512_maskz_rsqrt14_pd(nonzero, x), half = inverse * 0.5, first = x * inverse;
  const Doubles error = residual(first, half, all(0.5));
  const Doubles near = mad(first, error, first), slope = mad(half, error, half);
  const Doubles next = residual(near, slope, all(0.5));
  const Doubles root = mad(near, next, near), last = mad(slope, next, slope);
  return mad(residual(root, root, x), last, root);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
#endif
