// Host math: the natural logarithm, and that of 1 + x.
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_exp.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// x = mantissa * 2^exponent, mantissa in [sqrt(1/2), sqrt(2)), for positive normal x.
template <class F>
struct Split {
  F mantissa, exponent;
};

template <class F>
C10_ALWAYS_INLINE Split<F> split_exponent(F x) {
  using B = Bits<F>;
  constexpr B root_half = sizeof(F) == 4 ? B(0x3f3504f3) : B(0x3fe6a09e667f3bcdULL);
  constexpr B one = B(exponent_bias<F>) << mantissa_bits<F>;
  constexpr F integer_base = sizeof(F) == 4 ? F(0x1p23) : F(0x1p52);
  const B shifted = bits<B>(x) + (one - root_half);
  const F biased = bits<F>(static_cast<B>((shifted >> mantissa_bits<F>) | bits<B>(integer_base)));
  const F mantissa = bits<F>(static_cast<B>((shifted & ((B(1) << mantissa_bits<F>)-1)) + root_half));
  return {mantissa, biased - (integer_base + exponent_bias<F>)};
}

// log(1 + f) + e * log(2), by fits that weren't recorded. That of double has the form of fdlibm's.
C10_ALWAYS_INLINE float log_parts(float f, float e) {
  const float tail =
      polynomial(f, 0x1.555546p-2f, -0x1.ffffeep-3f, 0x1.99a546p-3f, -0x1.5562e2p-3f, 0x1.2332bcp-3f,
                 -0x1.fb4354p-4f, 0x1.e650fap-4f, -0x1.e2e8ecp-4f, 0x1.1b4126p-4f);
  const float square = f * f;
  const float low = mad(square, -0.5f, mad(e, ExpRange<float>::ln2_low, square * f * tail));
  return mad(e, ExpRange<float>::ln2_high, f + low);
}
C10_ALWAYS_INLINE double log_parts(double f, double e) {
  const double half_square = 0.5 * f * f;
  const double s = f / (2.0 + f), z = s * s;
  const double tail =
      z * polynomial(z, 0x1.5555555555592p-1, 0x1.999999997fdb3p-2, 0x1.24924941f151bp-2,
                     0x1.c71c52093ed37p-3, 0x1.74663eedf6e1dp-3, 0x1.39a1ba314aa2fp-3, 0x1.2f0568a84ffb1p-3);
  const double low = mad(s, half_square + tail, e * ExpRange<double>::ln2_low);
  return mad(e, ExpRange<double>::ln2_high, f - (half_square - low));
}

template <class F>
C10_ALWAYS_INLINE F log(F x) {
  constexpr F smallest_normal = sizeof(F) == 4 ? F(0x1p-126) : F(0x1p-1022);
  constexpr F lift = sizeof(F) == 4 ? F(0x1p23) : F(0x1p52);
  const bool subnormal = x < smallest_normal;
  const Split<F> part = split_exponent<F>(subnormal ? x * lift : x);
  const F exponent = part.exponent - (subnormal ? F(mantissa_bits<F>) : F(0));
  F y = log_parts(part.mantissa - F(1), exponent);
  y = x < F(__builtin_inf()) ? y : x;  // infinity and NaN
  y = x == F(0) ? -F(__builtin_inf()) : y;
  return x < F(0) ? F(__builtin_nan("")) : y;
}

// log(1 + x): the rounding error of 1 + x is corrected to first order.
template <class F>
C10_ALWAYS_INLINE F log1p(F x) {
  const F sum = F(1) + x;
  const F lost = (x - (sum - F(1))) / sum;
  const bool finite = (sum > F(0)) & (sum < F(__builtin_inf()));
  const F y = log(sum) + (finite ? lost : F(0));
  return x == F(0) ? x : y;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
