// Host math: logarithms of whole AVX-512 registers.
#pragma once

#include <ATen/native/math/host_wide.h>

#ifdef AT_HAS_WIDE_MATH
namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// By the leading bits of the mantissa of m in [3/4, 3/2): an approximation of 1/m with so few bits that m
// times it minus 1 is exact.
template <class F>
alignas(64) inline constexpr F log_inverse[16] = {};
template <>
alignas(64) inline constexpr float log_inverse<float>[16] = {
    0x1p+0f,   0x1.ep-1f, 0x1.cp-1f, 0x1.ap-1f, 0x1.9p-1f, 0x1.8p-1f, 0x1.7p-1f, 0x1.6p-1f,
    0x1.5p+0f, 0x1.4p+0f, 0x1.3p+0f, 0x1.3p+0f, 0x1.2p+0f, 0x1.1p+0f, 0x1.1p+0f, 0x1p+0f};
template <>
alignas(64) inline constexpr double log_inverse<double>[16] = {
    0x1p+0,   0x1.ep-1, 0x1.cp-1, 0x1.ap-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1, 0x1.6p-1,
    0x1.5p+0, 0x1.4p+0, 0x1.3p+0, 0x1.3p+0, 0x1.2p+0, 0x1.1p+0, 0x1.1p+0, 0x1p+0};

// For the logarithm to some base: minus those of log_inverse, that of 2 (`unit`), and 1 / log(base). All in
// two parts, so that e * unit + head is exact. tests/numerics/constants.py computes them.
template <class F>
struct LogTable {
  alignas(64) F head[16];
  alignas(64) F rest[16];
  F unit, unit_rest, factor, factor_rest;
};
template <class F>
inline constexpr LogTable<F> natural_table{};
template <>
inline constexpr LogTable<float> natural_table<float> = {
    {0x0p+0f, 0x1.0858p-4f, 0x1.1178p-3f, 0x1.a94p-3f, 0x1.f99p-3f, 0x1.2696p-2f, 0x1.522ap-2f, 0x1.7fbp-2f,
     -0x1.1676p-2f, -0x1.c9p-3f, -0x1.5ff4p-3f, -0x1.5ff4p-3f, -0x1.e27p-4f, -0x1.f0ap-5f, -0x1.f0ap-5f,
     0x0p+0f},
    {0x0p+0f, 0x1.8b59e4p-20f, 0x1.d044fcp-20f, -0x1.2c3752p-19f, 0x1.c6cb3cp-19f, 0x1.089a6ep-21f,
     0x1.c0e714p-19f, -0x1.7109fap-20f, 0x1.aa2a2cp-21f, 0x1.070cacp-20f, 0x1.f1eb0ep-20f, 0x1.f1eb0ep-20f,
     -0x1.db8abcp-22f, -0x1.86008cp-20f, -0x1.86008cp-20f, 0x0p+0f},
    0x1.62e4p-1f,
    0x1.7f7d1cp-20f,
    1,
    0};
template <>
inline constexpr LogTable<double> natural_table<double> = {
    {0x0p+0, 0x1.08598b59e4p-4, 0x1.1178e8227ep-3, 0x1.a93ed3c8aep-3, 0x1.f991c6cb3cp-3, 0x1.269621134ep-2,
     0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, -0x1.1675cababap-2, -0x1.c8ff7c79aap-3, -0x1.5ff3070a7ap-3,
     -0x1.5ff3070a7ap-3, -0x1.e27076e2bp-4, -0x1.f0a30c0118p-5, -0x1.f0a30c0118p-5, 0x0p+0},
    {0x0p+0, -0x1.7e5dd7009902cp-46, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45, -0x1.90d04cd7cc834p-44,
     -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, -0x1.8380e731f55c4p-44,
     0x1.7794f689f8434p-45, 0x1.8586f183bebf2p-44, 0x1.8586f183bebf2p-44, 0x1.a342c2af0003cp-45,
     0x1.d599e83368e91p-45, 0x1.d599e83368e91p-45, 0x0p+0},
    0x1.62e42feep-1,
    0x1.a39ef35793c76p-33,
    1,
    0};
template <class F>
inline constexpr LogTable<F> binary_table{};
template <>
inline constexpr LogTable<float> binary_table<float> = {
    {0x0p+0f, 0x1.7d6p-4f, 0x1.8a88p-3f, 0x1.32cp-2f, 0x1.6cbp-2f, 0x1.a9p-2f, 0x1.e7ep-2f, 0x1.14c6p-1f,
     -0x1.91bcp-2f, -0x1.49a8p-2f, -0x1.fbcp-3f, -0x1.fbcp-3f, -0x1.5cp-3f, -0x1.664p-4f, -0x1.664p-4f,
     0x0p+0f},
    {0x0p+0f, 0x1.25b3eep-22f, 0x1.80abfcp-19f, -0x1.1c8f12p-22f, 0x1.ed0cbap-19f, -0x1.a39fbep-20f,
     -0x1.40358ep-19f, -0x1.3e032ep-18f, 0x1.5db83ap-20f, 0x1.ed0cbap-20f, -0x1.6b9026p-19f, -0x1.6b9026p-19f,
     -0x1.a39fbep-19f, 0x1.20a6dep-21f, 0x1.20a6dep-21f, 0x0p+0f},
    0x1p+0f,
    0x0p+0f,
    0x1.715476p+0f,
    0x1.4ae0cp-26f};
template <>
inline constexpr LogTable<double> binary_table<double> = {
    {0x0p+0, 0x1.7d60496cfcp-4, 0x1.8a8980abfcp-3, 0x1.32bfee370fp-2, 0x1.6cb0f6865dp-2, 0x1.a8ff971811p-2,
     0x1.e7df5fe539p-2, 0x1.14c560fe688p-1, -0x1.91bba891f1p-2, -0x1.49a784bcd2p-2, -0x1.fbc16b9026p-3,
     -0x1.fbc16b9026p-3, -0x1.5c01a39fbep-3, -0x1.663f6fac9p-4, -0x1.663f6fac9p-4, 0x0p+0},
    {0x0p+0, -0x1.2ce6312ebb81dp-46, -0x1.66cccab240e9p-46, -0x1.979a5db68721dp-46, -0x1.c57f2495fb7fap-44,
     -0x1.6879fa00b120ap-44, -0x1.532c412ba94dbp-44, 0x1.7c407050799bfp-44, -0x1.c22d2cad415aep-44,
     0x1.1d406db502403p-44, -0x1.0144751b3314fp-44, -0x1.0144751b3314fp-44, 0x1.2f0c0bfe9dbecp-44,
     -0x1.3167ccc538261p-44, -0x1.3167ccc538261p-44, 0x0p+0},
    0x1p+0,
    0x0p+0,
    0x1.71547652b82fep+0,
    0x1.777d0ffda0d24p-56};
template <class F>
inline constexpr LogTable<F> decimal_table{};
template <>
inline constexpr LogTable<float> decimal_table<float> = {
    {0x0p+0f, 0x1.cb4p-6f, 0x1.db1p-5f, 0x1.716p-4f, 0x1.b72p-4f, 0x1.ffcp-4f, 0x1.25bcp-3f, 0x1.4d44p-3f,
     -0x1.e3cp-4f, -0x1.8cfp-4f, -0x1.31bp-4f, -0x1.31bp-4f, -0x1.a31p-5f, -0x1.af6p-6f, -0x1.af6p-6f,
     0x0p+0f},
    {0x0p+0f, -0x1.c0cc9ep-20f, 0x1.ed766ap-21f, -0x1.798e4cp-19f, 0x1.cd1716p-20f, -0x1.ea21c4p-23f,
     -0x1.7dea5p-19f, -0x1.f6296ep-25f, 0x1.f2a79p-19f, -0x1.838864p-20f, -0x1.82ae24p-19f, -0x1.82ae24p-19f,
     0x1.58a7d8p-19f, 0x1.b53fc6p-24f, 0x1.b53fc6p-24f, 0x0p+0f},
    0x1.344p-2f,
    0x1.3509f8p-18f,
    0x1.bcb7b2p-2f,
    -0x1.5b235ep-27f};
template <>
inline constexpr LogTable<double> decimal_table<double> = {
    {0x0p+0, 0x1.cb38fccd8p-6, 0x1.db11ed766p-5, 0x1.715d0ce36p-4, 0x1.b721cd171p-4, 0x1.ffbfc2bbcp-4,
     0x1.25ba8215bp-3, 0x1.4d43f82758p-3, -0x1.e3bc1ab0ep-4, -0x1.8cf183886p-4, -0x1.31b3055c4p-4,
     -0x1.31b3055c4p-4, -0x1.a30a9d60ap-5, -0x1.af5f92bp-6, -0x1.af5f92bp-6, 0x0p+0},
    {0x0p+0, 0x1.7fb6d2d6528c7p-43, 0x1.57e865b878377p-42, 0x1.ebeeb67bf155ap-42, 0x1.5f8a57d982e77p-42,
     0x1.e00dd60df12c3p-42, -0x1.007bf2d8bf07ap-44, 0x1.24195345798e5p-42, -0x1.9fe3d562a53fp-44,
     -0x1.20326ca2c7e5fp-42, -0x1.c46006d082e6dp-42, -0x1.c46006d082e6dp-42, 0x1.0163d7e67d282p-45,
     -0x1.cc1f4dbc14db5p-43, -0x1.cc1f4dbc14db5p-43, 0x0p+0},
    0x1.34413509f4p-2,
    0x1.cff7988f8959bp-41,
    0x1.bcb7b1526e50ep-2,
    0x1.95355baaafad3p-57};

// x = m * 2^e with m in [3/4, 3/2) and y near 1/m from a table: log(x) = e log(2) - log(y) + log(1 + r),
// where log(1 + r) = r + r^2 * tail, by a fit that wasn't recorded. Exponents and mantissas of zeros,
// infinities, NaNs and negative numbers are such that it holds for them.
template <class V>
struct LogParts {
  V e, r, tail;
  __m512i piece;
};

C10_ALWAYS_INLINE LogParts<Floats> log_parts(Floats x) {
  const Floats m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  const Floats e = Floats(_mm512_getexp_ps(x)) - Floats(_mm512_getexp_ps(m));
  const __m512i piece = _mm512_srli_epi32(bits<__m512i>(m), mantissa_bits<float> - 4);
  const Floats r = mad(m, look_up(log_inverse<float>, piece), all(-1.0f));
  return {e, r, wide_polynomial(r, -0x1.fffffap-2f, 0x1.55586ep-2f, -0x1.004072p-2f, 0x1.86fb46p-3f), piece};
}

C10_ALWAYS_INLINE LogParts<Doubles> log_parts(Doubles x) {
  const Doubles m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  const Doubles e = Doubles(_mm512_getexp_pd(x)) - Doubles(_mm512_getexp_pd(m));
  const __m512i piece = _mm512_srli_epi64(bits<__m512i>(m), mantissa_bits<double> - 4);
  const Doubles r = mad(m, look_up(log_inverse<double>, piece), all(-1.0));
  return {e, r,
          wide_polynomial(r, -0x1.fffffffffffffp-2, 0x1.5555555555528p-2, -0x1.00000000027a5p-2,
                          0x1.9999999a27b3ep-3, -0x1.555555296cf16p-3, 0x1.24924444ced28p-3,
                          -0x1.00008126e0dc7p-3, 0x1.c73f2c1ca973ap-4, -0x1.9925a30df43cep-4,
                          0x1.4a28b74f0bc54p-4),
          piece};
}

// The table is a constant: terms that are 0 and factors that are 1 take no instructions.
template <class V, class F>
C10_ALWAYS_INLINE V log_by(const LogTable<F>& table, V x) {
  const LogParts<V> part = log_parts(x);
  const V e = part.e, r = part.r, head = mad(e, all(table.unit), look_up(table.head, part.piece));
  V low = look_up(table.rest, part.piece);
  if (table.unit_rest != F(0)) low = mad(e, all(table.unit_rest), low);
  if (table.factor == F(1)) return head + (r + mad(r * r, part.tail, low));
  low = mad(r, all(table.factor_rest), low);
  return head + mad(r, all(table.factor), mad(r * r * table.factor, part.tail, low));
}

C10_ALWAYS_INLINE Floats log(Floats x) { return log_by(natural_table<float>, x); }
C10_ALWAYS_INLINE Doubles log(Doubles x) { return log_by(natural_table<double>, x); }
C10_ALWAYS_INLINE Floats log2(Floats x) { return log_by(binary_table<float>, x); }
C10_ALWAYS_INLINE Doubles log2(Doubles x) { return log_by(binary_table<double>, x); }
C10_ALWAYS_INLINE Floats log10(Floats x) { return log_by(decimal_table<float>, x); }
C10_ALWAYS_INLINE Doubles log10(Doubles x) { return log_by(decimal_table<double>, x); }

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
#endif
