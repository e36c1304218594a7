// Host math: exp, the logistic function and tanh. A power of two out of range is applied in two steps, so
// that overflow and gradual underflow round once. README.md has the errors and the coefficients' origins.
#pragma once

#include <ATen/native/math/host_basic.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

template <class F>
struct ExpRange;  // arguments outside [low, high] give 0 or infinity
template <>
struct ExpRange<float> {
  static constexpr float low = -104.0f, high = 89.0f;
  // log(2) in two parts, the first (355/512) short enough for exact products: Cody and Waite's (1980).
  static constexpr float ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f;
};
template <>
struct ExpRange<double> {
  static constexpr double low = -746.0, high = 710.0;
  // As in fdlibm.
  static constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
};

// (exp(r) - 1 - r) / r^2 on |r| <= log(2)/2, by a fit that wasn't recorded.
C10_ALWAYS_INLINE float exp_tail(float r) {
  return polynomial(r, 0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558f4p-5f, 0x1.123a6ap-7f, 0x1.6a2368p-10f);
}
C10_ALWAYS_INLINE double exp_tail(double r) {
  return polynomial(r, 0x1.000000000000ap-1, 0x1.55555555554f9p-3, 0x1.55555555507f1p-5, 0x1.1111111127eb9p-7,
                    0x1.6c16c1844af6dp-10, 0x1.a01a0129a2825p-13, 0x1.a01999adcca9ep-16,
                    0x1.71df26530bb6fp-19, 0x1.28adce84f3e12p-22, 0x1.ad7ec7a9ed355p-26);
}

// p * 2^k for p near 1 and integer k, where 2^k may be out of range.
template <class F>
C10_ALWAYS_INLINE F scale(F p, F k) {
  const F half = (k * F(0.5) + round_magic<F>)-round_magic<F>;
  return p * power_of_two<F>(half) * power_of_two<F>(k - half);
}

// An argument of exp as k * log(2) + r for a whole number k and |r| <= log(2)/2, r = head + rest rounded.
template <class F>
struct ReducedExponent {
  F k, head, rest, r;
};

// x + low, for |low| far below |x|.
template <class F>
C10_ALWAYS_INLINE ReducedExponent<F> reduced_exponent(F x, F low) {
  using Range = ExpRange<F>;
  const F k = mad(x, F(0x1.71547652b82fep0), round_magic<F>) - round_magic<F>;
  const F head = mad(-k, Range::ln2_high, x);  // exact
  const F rest = mad(-k, Range::ln2_low, low);
  return {k, head, rest, head + rest};
}

// exp(r) - 1
template <class F>
C10_ALWAYS_INLINE F exp_excess(const ReducedExponent<F>& a) {
  if constexpr (has_fma && sizeof(F) == 4) {
    return mad(a.r * a.r, exp_tail(a.r), a.r);
  } else {
    return a.head + mad(a.r * a.r, exp_tail(a.r), a.rest);
  }
}

// exp(r). With fused multiply-adds the plain sum is accurate enough in float.
template <class F>
C10_ALWAYS_INLINE F exp_near_zero(const ReducedExponent<F>& a) {
  if constexpr (has_fma && sizeof(F) == 4) {
    return mad(a.r, mad(a.r, exp_tail(a.r), F(1)), F(1));
  } else {
    return F(1) + exp_excess(a);
  }
}

// exp(x + low) for |low| far below |x|.
template <class F>
C10_ALWAYS_INLINE F exp_sum(F x, F low) {
  using Range = ExpRange<F>;
  F c = x > Range::high ? Range::high : x;
  c = c < Range::low ? Range::low : c;
  const ReducedExponent<F> a = reduced_exponent(c, low);
  return scale(exp_near_zero(a), a.k);
}

template <class F>
C10_ALWAYS_INLINE F exp(F x) {
  return exp_sum(x, F(0));
}

// 2^x
template <class F>
C10_ALWAYS_INLINE F exp2(F x) {
  constexpr F highest = sizeof(F) == 4 ? F(129) : F(1025), lowest = sizeof(F) == 4 ? F(-151) : F(-1076);
  F c = x > highest ? highest : x;
  c = c < lowest ? lowest : c;
  const F k = (c + round_magic<F>)-round_magic<F>;
  const F r = (c - k) * F(0.693147180559945309417);
  return scale(F(1) + mad(r * r, exp_tail(r), r), k);
}

// 2^(x + lift) where that is normal, by a fit that wasn't recorded.
C10_ALWAYS_INLINE float short_exp2(float x, int lift = 0) {
  const float k = (x + round_magic<float>)-round_magic<float>, r = x - k;
  return power_of_two(k, lift) * short_polynomial(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbe2p-3f, 0x1.c6aeccp-5f,
                                                  0x1.3b2996p-7f, 0x1.5f48c6p-10f, 0x1.4498fep-13f);
}

// exp(x + low) for |low| far below |x|, where x is at most 0 and, rounded up, not below the lower limit:
// scaled by 2^lift it is normal wherever it is not zero, so that scaling back rounds once.
template <class F>
C10_ALWAYS_INLINE F exp_below_zero(F x, F low) {
  constexpr int lift = sizeof(F) == 4 ? 32 : 64;
  constexpr F lower = sizeof(F) == 4 ? F(0x1p-32) : F(0x1p-64);
  const ReducedExponent<F> a = reduced_exponent(x, low);
  return (exp_near_zero(a) * power_of_two<F>(a.k, lift)) * lower;
}

// exp(-y) for y >= 0.
template <class F>
C10_ALWAYS_INLINE F exp_minus(F y) {
  return exp_below_zero(y > -ExpRange<F>::low ? ExpRange<F>::low : -y, F(0));
}

// factor / (1 + exp(-x)), from the exponential that is at most 1, so that both ends are accurate.
template <class F>
C10_ALWAYS_INLINE F scaled_logistic(F x, F factor) {
  const F z = exp_minus(fabs(x)), above = x < F(0) ? z : F(1), below = F(1) + z;
  const F lost = z - (below - F(1)), quotient = above * factor / below;
  return mad(quotient * F(-0.75), lost, quotient);  // 1 / below is between 0.5 and 1
}

template <class F>
C10_ALWAYS_INLINE F logistic(F x) {
  return scaled_logistic(x, F(1));
}

// (tanh(x) - x) / x^3 as a polynomial in z = x^2, |x| <= 0.625, by a fit that wasn't recorded.
C10_ALWAYS_INLINE float tanh_tail(float z) {
  return polynomial(z, -0x1.555554p-2f, 0x1.11106cp-3f, -0x1.b9ef7cp-5f, 0x1.6394dap-6f, -0x1.0c2146p-7f,
                    0x1.197b7ap-9f);
}
C10_ALWAYS_INLINE double tanh_tail(double z) {
  return polynomial(z, -0x1.5555555555552p-2, 0x1.1111111110c38p-3, -0x1.ba1ba1b9d10a5p-5,
                    0x1.664f4870bef1ep-6, -0x1.226e32d0fc112p-7, 0x1.d6d35a9ee6b06p-9, -0x1.7d9c39cf93993p-10,
                    0x1.350bca41d5817p-11, -0x1.f1168042d9f74p-13, 0x1.802789ba34a08p-14,
                    -0x1.faf8249e06011p-16, 0x1.966137ed24c05p-18);
}

template <class F>
C10_ALWAYS_INLINE F tanh(F x) {
  const F y = fabs(x), z = y * y;
  const F small = mad(y * z, tanh_tail(z), y);
  const F large = F(1) - F(2) / (exp(y + y) + F(1));
  return copysign(y < F(0.625) ? small : large, x);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
