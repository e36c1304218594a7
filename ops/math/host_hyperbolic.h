// Host math: expm1, the hyperbolic functions and their inverses. Near zero odd polynomials; elsewhere
// exponentials and logarithms, corrected for their arguments' rounding errors. In float the arguments of
// logarithms are computed in double.
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_exp.h>
#include <ATen/native/math/host_lanes.h>
#include <ATen/native/math/host_log.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1), by halves, so that the largest k does not overflow.
template <class F>
C10_ALWAYS_INLINE F expm1(F x) {
  using Range = ExpRange<F>;
  F c = x > Range::high ? Range::high : x;
  c = c < F(-40) ? F(-40) : c;
  const ReducedExponent<F> a = reduced_exponent(c, F(0));
  const F p = a.head + mad(a.r * a.r, exp_tail(a.r), a.rest);
  const F half = power_of_two<F>(a.k - F(1));
  return copysign(F(2) * mad(half, p, half - F(0.5)), x);
}

// The same for tensors that are mostly zero: a SIMD vector of zeros is returned unchanged.
template <class F, class V>
C10_ALWAYS_INLINE V sparse_expm1_lanes(V x) {
  if constexpr (!std::is_floating_point_v<V>) {
    if (!any_lane(x != F(0))) return x;
  }
  return each_lane(x, [](F one) C10_ALWAYS_INLINE_ATTRIBUTE { return expm1(one); });
}

#ifdef AT_HAS_VECTOR_VARIANTS
extern "C" {
__attribute__((simd("notinbranch"), const)) float at_sparse_expm1_f32(float) noexcept;
__attribute__((simd("notinbranch"), const)) double at_sparse_expm1_f64(double) noexcept;
}
AT_FLOAT_VARIANTS(at_sparse_expm1_f32, sparse_expm1_lanes<float>)
AT_DOUBLE_VARIANTS(at_sparse_expm1_f64, sparse_expm1_lanes<double>)

C10_ALWAYS_INLINE float sparse_expm1(float x) { return at_sparse_expm1_f32(x); }
C10_ALWAYS_INLINE double sparse_expm1(double x) { return at_sparse_expm1_f64(x); }
#else
template <class F>
C10_ALWAYS_INLINE F sparse_expm1(F x) {
  return sparse_expm1_lanes<F>(x);
}
#endif

// slope * x where x is at least 0, factor * expm1(scale * x) below. Selected by the sign bit: a branch around
// the call would prevent vectorisation.
template <class F>
C10_ALWAYS_INLINE F expm1_below_zero(F x, F scale, F factor, F slope) {
  using B = Bits<F>;
  const B below = static_cast<B>(B(0) - (bits<B>(x) >> (sizeof(F) * 8 - 1)));
  const F power = sparse_expm1(bits<F>(static_cast<B>(bits<B>(x * scale) & below)));
  return bits<F>(static_cast<B>((bits<B>(power * factor) & below) | (bits<B>(x * slope) & ~below)));
}

// exp(y) / 2 for y >= 0, also where exp(y) alone would overflow.
template <class F>
C10_ALWAYS_INLINE F half_exp(F y) {
  constexpr F ln2 = F(0.693147180559945309417),
              ln2_low = F(sizeof(F) == 4 ? -0x1.05c610p-29 : 0x1.abc9e3b398040p-56);
  const F c = y - ln2, lost = (y - c) - ln2;
  return exp_sum(c, c < ExpRange<F>::high ? lost - ln2_low : F(0));
}

// (sinh(x) - x) / x^3 as a polynomial in z = x^2, |x| <= 1, by interpolation at Chebyshev's points.
C10_ALWAYS_INLINE float sinh_tail(float z) {
  return polynomial(z, 0x1.555556p-3f, 0x1.11111ep-7f, 0x1.a009p-13f, 0x1.78a70ep-19f);
}
C10_ALWAYS_INLINE double sinh_tail(double z) {
  return polynomial(z, 0x1.5555555555555p-3, 0x1.11111111110fdp-7, 0x1.a01a01a01ee7p-13, 0x1.71de3a4e14f4p-19,
                    0x1.ae6460fae3728p-26, 0x1.611cb330c1fe8p-33, 0x1.b41232cf9950fp-41);
}

template <class F>
C10_ALWAYS_INLINE F sinh(F x) {
  const F y = fabs(x), z = y * y, half = half_exp(y);
  return copysign(y < F(1) ? mad(y * z, sinh_tail(z), y) : half - F(0.25) / half, x);
}

template <class F>
C10_ALWAYS_INLINE F cosh(F x) {
  const F half = half_exp(fabs(x));
  return half + F(0.25) / half;
}

// (asinh(x) - x) / x^3 and (atanh(x) - x) / x^3 as polynomials in z = x^2, |x| <= 1/2, by interpolation at
// Chebyshev's points.
C10_ALWAYS_INLINE float asinh_tail(float z) {
  return polynomial(z, -0x1.555552p-3f, 0x1.332ed2p-4f, -0x1.6c98ecp-5f, 0x1.d79732p-6f, -0x1.d434b2p-7f);
}
C10_ALWAYS_INLINE double asinh_tail(double z) {
  return polynomial(z, -0x1.5555555555555p-3, 0x1.33333333332fap-4, -0x1.6db6db6db086ep-5,
                    0x1.f1c71c6d66156p-6, -0x1.6e8ba21ea4fe4p-6, 0x1.1c4eaf29403b6p-6, -0x1.c9969396f4545p-7,
                    0x1.7a633fba3115p-7, -0x1.3eb1386278c61p-7, 0x1.0c1eacb8f71b5p-7, -0x1.a851c6e415a26p-8,
                    0x1.0f3620d560e0dp-8, -0x1.88e92bd4ca98ep-10);
}
C10_ALWAYS_INLINE float atanh_tail(float z) {
  return polynomial(z, 0x1.555554p-2f, 0x1.999c14p-3f, 0x1.242056p-3f, 0x1.d5ce5cp-4f, 0x1.09f92cp-4f,
                    0x1.4298b2p-3f);
}
C10_ALWAYS_INLINE double atanh_tail(double z) {
  return polynomial(z, 0x1.5555555555555p-2, 0x1.9999999999982p-3, 0x1.249249249409cp-3, 0x1.c71c71c58156bp-4,
                    0x1.745d17a833b94p-4, 0x1.3b13a3184d90ap-4, 0x1.1112632e765f2p-4, 0x1.e1b6c1f3ca95dp-5,
                    0x1.b116e91f2dcfep-5, 0x1.76524ce0b6671p-5, 0x1.bff5d5842ce7fp-5, -0x1.7b097a148d046p-8,
                    0x1.4f3162758726ep-3, -0x1.79de6d69a866cp-3, 0x1.cff32677aa2f2p-3);
}

// From here on the 1 in the root is below the rounding error.
inline constexpr double square_limit = 0x1p28;

// asinh(y) for y >= 1/2: log(y + sqrt(y^2 + 1)).
C10_ALWAYS_INLINE double asinh_far(double y) {
  const bool huge = y > square_limit;
  const double z = huge ? 1.0 : y * y, sum = z + 1.0, back = sum - z;
  const double sum_low = ((z - (sum - back)) + (1.0 - back)) + (huge ? 0.0 : product_residual(y, y, z));
  const double root = sqrt(sum), root_low = (sum_low - product_residual(root, root, sum)) / (root + root);
  const double u = huge ? y : y + root, u_low = huge ? 0.0 : (y - (u - root)) + root_low;
  return log(u) + (u_low / u + (huge ? 0.693147180559945309417 : 0.0));
}
C10_ALWAYS_INLINE float asinh_far(float y) {
  const double x = y;
  return static_cast<float>(log(x + std::sqrt(x * x + 1.0)));
}

template <class F>
C10_ALWAYS_INLINE F asinh(F x) {
  const F y = fabs(x), z = y * y;
  const F far = asinh_far(y);
  return copysign(y < F(0.5) ? mad(y * z, asinh_tail(z), y) : far, x);
}

// log(1 + v) with v = x - 1 + sqrt(x^2 - 1).
C10_ALWAYS_INLINE double acosh(double x) {
  const bool huge = x > square_limit;
  const double t = x - 1.0, t_low = (x - t) - 1.0, factor = t + 2.0, factor_low = (2.0 - factor) + t;
  const double p = huge ? 0.0 : t * factor;
  const double p_low = product_residual(t, factor, p) + (t * factor_low + t_low * (t + factor));
  const double root = sqrt(p), rest = (p_low - product_residual(root, root, p)) / (root + root);
  const double root_low = p > 0.0 ? rest : 0.0;
  const double v = huge ? x : t + root, sum = huge ? x : 1.0 + v;
  const double v_low = (t - (v - root)) + (root_low + t_low);
  const double lost = ((v - (sum - 1.0)) + v_low) / sum;
  const double y = log(sum) + (huge ? 0.693147180559945309417 : lost);
  return x < 1.0 ? __builtin_nan("") : y;
}
C10_ALWAYS_INLINE float acosh(float single) {
  const double x = single;
  const double y = log(x + std::sqrt(x * x - 1.0));
  return static_cast<float>(x < 1.0 ? __builtin_nan("") : y);
}

// atanh(y) for 1/2 <= y: half the logarithm of (1 + y) / (1 - y).
C10_ALWAYS_INLINE double atanh_far(double y) {
  const double above = 1.0 + y, above_low = y - (above - 1.0), below = 1.0 - y, q = above / below;
  const double lost = (above_low - product_residual(q, below, above)) / above;
  return 0.5 * (log(q) + (y < 1.0 ? lost : 0.0));
}
C10_ALWAYS_INLINE float atanh_far(float y) {
  const double x = y;
  return static_cast<float>(0.5 * log((1.0 + x) / (1.0 - x)));
}

template <class F>
C10_ALWAYS_INLINE F atanh(F x) {
  const F y = fabs(x), z = y * y;
  const F far = atanh_far(y);
  return copysign(y < F(0.5) ? mad(y * z, atanh_tail(z), y) : far, x);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
