// Host math: powers and the logarithms to base 2 and 10. Powers are exp(y * log|x|) with the
// logarithm carried to more digits than the result has (in double for float, in pairs of doubles for double).
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_exp.h>
#include <ATen/native/math/host_log.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// An unevaluated sum, |low| at most half an ulp of high or near it.
struct Pair {
  double high, low;
};

// a + b exactly, for |a| >= |b| or a == 0.
C10_ALWAYS_INLINE Pair exact_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a * b exactly.
C10_ALWAYS_INLINE Pair exact_product(double a, double b) {
  const double product = a * b;
  return {product, product_residual(a, b, product)};
}

// log(x) of a positive, finite, nonzero x to about 65 bits.
C10_ALWAYS_INLINE Pair log_pair(double x) {
  const bool subnormal = x < 0x1p-1022;
  const Split<double> part = split_exponent<double>(subnormal ? x * 0x1p52 : x);
  const double e = part.exponent - (subnormal ? 52.0 : 0.0), m = part.mantissa;
  // s = (m - 1) / (m + 1); log(m) = 2s + s^3 (2/3 + 2/5 s^2 + ...), by a fit that wasn't recorded.
  const Pair d = exact_sum(m < 1.0 ? 1.0 : m, m < 1.0 ? m : 1.0);
  const double f = m - 1.0, inverse = 1.0 / d.high, s = f * inverse;
  const Pair sd = exact_product(s, d.high);
  const double s_low = ((f - sd.high) - sd.low - s * d.low) * inverse;
  Pair z = exact_product(s, s);
  z.low += 2.0 * s * s_low;
  const double tail = z.high * polynomial(z.high, 0x1.9999999999b33p-2, 0x1.2492492457807p-2,
                                          0x1.c71c722de320ep-3, 0x1.745ce9b6e103ap-3, 0x1.3b1ef45b6e4bap-3,
                                          0x1.0f7f213775ba3p-3, 0x1.0e4a2b457c655p-3);
  Pair series = exact_sum(0x1.5555555555555p-1, tail);
  series.low += 0x1.5555555555555p-55;
  Pair w = exact_product(z.high, series.high);
  w.low += z.high * series.low + z.low * series.high;
  Pair v = exact_product(s, w.high);
  v.low += s * w.low + s_low * w.high;
  Pair mantissa_log = exact_sum(s + s, v.high);
  mantissa_log.low += (s_low + s_low) + v.low;
  const Pair sum = exact_sum(e * 0x1.62e42fee00000p-1, mantissa_log.high);
  return exact_sum(sum.high, sum.low + (mantissa_log.low + e * 0x1.a39ef35793c76p-33));
}

// |x|^y before the special cases, for |x| positive and finite.
C10_ALWAYS_INLINE double raw_power(double x, double y) {
  const Pair l = log_pair(x);
  Pair t = exact_product(y, l.high);
  t.low += y * l.low;
  return exp_sum(t.high, fabs(t.high) < 800.0 ? t.low : 0.0);
}
// log2(x) of a positive normal x, as accurate as float functions need, by a fit that wasn't recorded.
C10_ALWAYS_INLINE double short_log2(double x) {
  const Split<double> part = split_exponent<double>(x);
  const double s = (part.mantissa - 1.0) / (part.mantissa + 1.0), z = s * s;
  return mad(s,
             polynomial(z, 0x1.71547652b8250p+1, 0x1.ec709dc53e479p-1, 0x1.2776c290e939dp-1,
                        0x1.a61a30c5574a6p-2, 0x1.4794ffa50b7d4p-2, 0x1.21b604999835ap-2),
             part.exponent);
}

// (2^r - 1) / r on |r| <= 1/2 by a fit that wasn't recorded.
C10_ALWAYS_INLINE float raw_power(float x, float y) {
  const double log2 = short_log2(static_cast<double>(x));
  double t = static_cast<double>(y) * log2;
  t = t > 200.0 ? 200.0 : t;
  t = t < -200.0 ? -200.0 : t;
  const double k = (t + round_magic<double>)-round_magic<double>, r = t - k;
  const double p = mad(r,
                       polynomial(r, 0x1.62e430cc4941ep-1, 0x1.ebfbe0d7b78bbp-3, 0x1.c6aecf71606b4p-5,
                                  0x1.3b29a9e8bb5e3p-7, 0x1.5f47af047554cp-10, 0x1.448fdfce6d418p-13),
                       1.0);
  return static_cast<float>(p * power_of_two(k));
}

// log(x) * factor, the factor in two parts, before the special cases.
C10_ALWAYS_INLINE double scaled_log(double x, double factor, double factor_low) {
  const Pair l = log_pair(x);
  const Pair y = exact_product(l.high, factor);
  return y.high + (y.low + (l.high * factor_low + l.low * factor));
}

// Logarithms of zero, negative numbers, infinity and NaN; `y` for all others.
template <class F>
C10_ALWAYS_INLINE F log_or_special(F x, F y) {
  y = x < F(__builtin_inf()) ? y : x;
  y = x == F(0) ? -F(__builtin_inf()) : y;
  return x < F(0) ? F(__builtin_nan("")) : y;
}

C10_ALWAYS_INLINE float log2(float x) {
  return log_or_special(x, static_cast<float>(short_log2(static_cast<double>(x))));
}
C10_ALWAYS_INLINE double log2(double x) {
  return log_or_special(x, scaled_log(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56));
}
C10_ALWAYS_INLINE float log10(float x) {
  return log_or_special(x, static_cast<float>(short_log2(static_cast<double>(x)) * 0x1.34413509f79ffp-2));
}
C10_ALWAYS_INLINE double log10(double x) {
  return log_or_special(x, scaled_log(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57));
}

// The special cases are IEEE 754's: pow(x, 0) and pow(1, y) are 1 whatever the other is.
template <class F>
C10_ALWAYS_INLINE F pow(F x, F y) {
  constexpr F infinity = F(__builtin_inf());
  constexpr F integers = sizeof(F) == 4 ? F(0x1p23) : F(0x1p52);  // from here on all values are integers
  const F ax = fabs(x), ay = fabs(y), half = ay * F(0.5);
  const bool whole = (ay >= integers) | (((ay + integers) - integers) == ay);
  const bool odd = whole & (ay < F(2) * integers) & (((half + integers) - integers) != half);

  F power = raw_power(ax, y);
  // Bases 0 and infinity, then infinite exponents.
  const bool extreme = (ax == F(0)) | (ax == infinity);
  const bool grows = (ax == F(0)) == (y < F(0));
  power = extreme ? (grows ? infinity : F(0)) : power;
  const bool far_grows = (ax > F(1)) == (y > F(0));
  power = ay == infinity ? (far_grows ? infinity : F(0)) : power;
  power = (ay == infinity) & (ax == F(1)) ? F(1) : power;
  power = (x < F(0)) & (ax < infinity) & !whole ? F(__builtin_nan("")) : power;
  power = odd ? copysign(power, x) : power;
  power = (x != x) | (y != y) ? x + y : power;
  return (y == F(0)) | (x == F(1)) ? F(1) : power;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
