// Host math: the inverse trigonometric functions. Arguments are reduced to where an odd polynomial is
// accurate.
#pragma once

#include <ATen/native/math/host_basic.h>

#include <limits>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// pi and its half in two parts each.
template <class F>
struct PiParts;
template <>
struct PiParts<float> {
  static constexpr float pi = 0x1.921fb6p+1f, pi_low = -0x1.777a5cp-24f;
  static constexpr float half = 0x1.921fb6p+0f, half_low = -0x1.777a5cp-25f;
};
template <>
struct PiParts<double> {
  static constexpr double pi = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;
  static constexpr double half = 0x1.921fb54442d18p+0, half_low = 0x1.1a62633145c07p-54;
};

// a * b - product, in float only as exactly as one instruction can: double lanes would halve the vectors.
template <class F>
C10_ALWAYS_INLINE F arc_residue(F a, F b, F product) {
  if constexpr (has_fma || sizeof(F) == 8) {
    return has_fma ? mad(a, b, -product) : F(product_residual(a, b, product));
  } else {
    return F(0);
  }
}

// (asin(x) - x) / x^3 as a polynomial in z = x^2, |x| <= 1/2, by interpolation at Chebyshev's points.
C10_ALWAYS_INLINE float asin_tail(float z) {
  return polynomial(z, 0x1.555554p-3f, 0x1.33343p-4f, 0x1.6d5bbap-5f, 0x1.fd8da2p-6f, 0x1.18f91ep-6f,
                    0x1.13fed4p-5f);
}
C10_ALWAYS_INLINE double asin_tail(double z) {
  return polynomial(z, 0x1.5555555555556p-3, 0x1.3333333332ecap-4, 0x1.6db6db6e31f13p-5, 0x1.f1c71c1db0623p-6,
                    0x1.6e8bb1c8209a2p-6, 0x1.1c4d35cf95421p-6, 0x1.c9cf07674736ap-7, 0x1.782651caa6547p-7,
                    0x1.52420b04b37bep-7, 0x1.65a9c4dfcf8b2p-8, 0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7,
                    0x1.d72b2bc8155f8p-6);
}

// asin(x) for 0 <= x <= 1/2; beyond, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). The argument is sine + rest.
template <class F>
struct FoldedSine {
  F sine, rest;
};

template <class F>
C10_ALWAYS_INLINE FoldedSine<F> fold_sine(F y) {
  const bool far = y > F(0.5);
  const F z = far ? (F(1) - y) * F(0.5) : y * y;
  const F root = sqrt(z), sine = far ? root : y;
  // The rounding error of the root.
  const F divisor = root > F(0) ? root + root : F(1);
  const F residue = arc_residue(root, root, z) / divisor, lost = far ? -residue : F(0);
  return {sine, mad(sine * z, asin_tail(z), lost)};
}

template <class F>
C10_ALWAYS_INLINE F asin(F x) {
  using Pi = PiParts<F>;
  const FoldedSine<F> part = fold_sine(fabs(x));
  const F twice = part.sine + part.sine, head = Pi::half - twice;
  const F tail = (Pi::half - head) - twice;
  const F far = head + ((tail + Pi::half_low) - (part.rest + part.rest));
  return copysign(fabs(x) > F(0.5) ? far : part.sine + part.rest, x);
}

template <class F>
C10_ALWAYS_INLINE F acos(F x) {
  using Pi = PiParts<F>;
  const FoldedSine<F> part = fold_sine(fabs(x));
  const F sine = copysign(part.sine, x), rest = x < F(0) ? -part.rest : part.rest;
  const F middle = Pi::half - (sine - (Pi::half_low - rest));
  const F arc = part.sine + part.rest, right = arc + arc;
  const F half = part.sine + (part.rest - Pi::half_low), left = F(2) * (Pi::half - half);
  return fabs(x) > F(0.5) ? (x < F(0) ? left : right) : middle;
}

// (atan(x) - x) / x^3 as a polynomial in z = x^2, |x| <= 1, by tests/numerics/fit_polynomials.py; in float
// last digits are moved so that atan(1) is the float nearest to pi / 4.
C10_ALWAYS_INLINE float atan_tail(float z) {
  return polynomial(z, -0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.242086p-3f, 0x1.c08c18p-4f, -0x1.580806p-4f,
                    0x1.da2484p-5f, -0x1.fd6ed4p-6f, 0x1.640f92p-7f, -0x1.d32a9cp-10f);
}
C10_ALWAYS_INLINE double atan_tail(double z) {
  return polynomial(z, -0x1.5555555555526p-2, 0x1.99999999955b5p-3, -0x1.249249237f5edp-3,
                    0x1.c71c717fd199ep-4, -0x1.745d11aea09cdp-4, 0x1.3b13669c5898ap-4, -0x1.110e5139e0d3dp-4,
                    0x1.e1bba75694125p-5, -0x1.ae5e76f8cce98p-5, 0x1.82dae65c327f1p-5, -0x1.59a426dbb87b4p-5,
                    0x1.2c2eafb50ff06p-5, -0x1.e9fb1addb3c69p-6, 0x1.683e1c1ea7286p-6, -0x1.c7925a1b3f581p-7,
                    0x1.d7bcd9817475ap-8, -0x1.7a3d7eca11012p-9, 0x1.b4006a68f34f3p-11,
                    -0x1.3f3b4751fb117p-13, 0x1.bbf5c53ecddb3p-17);
}

template <class F>
C10_ALWAYS_INLINE F atan(F x) {
  using Pi = PiParts<F>;
  // Beyond, the arc is pi / 2. The inverse is kept normal: unselected lanes are computed, too, and subnormal
  // arithmetic is slow on some processors.
  constexpr F largest = sizeof(F) == 4 ? F(0x1p30) : F(0x1p60);
  const F size = fabs(x), y = size > largest ? largest : size;
  const F divisor = y > F(1) ? y : F(1), inverse = F(1) / divisor;
  const F r = inverse < y ? inverse : y, z = r * r;
  // A factor: from a condition used several times here the compiler would make two whole computations.
  const F steep = static_cast<F>(static_cast<int>(y > F(1)));
  // The rounding error of the quotient, and its effect on the arc.
  const F lost = -(arc_residue(inverse, divisor, F(1)) * inverse);
  const F arc = r + mad(r * z, atan_tail(z), lost * mad(z, F(-0.5), F(1)));
  return copysign(steep * Pi::half + (mad(-2 * steep, arc, arc) + steep * Pi::half_low), x);
}

// The angle of the point (x, y), in all four quadrants, with their signed zeros and infinities.
template <class F>
C10_ALWAYS_INLINE F atan2(F y, F x) {
  using Pi = PiParts<F>;
  constexpr F infinity = F(__builtin_inf());
  const F ax = fabs(x), ay = fabs(y);
  const bool steep = ay > ax, left = copysign(F(1), x) < F(0);
  const F small = steep ? ax : ay, large = steep ? ay : ax;
  F r = small / large;
  r = large == F(0) ? F(0) : r;
  r = small == infinity ? F(1) : r;
  const F z = r * r, arc = mad(r * z, atan_tail(z), r);
  const F turned = steep != left ? -arc : arc;
  const F base = steep ? Pi::half : (left ? Pi::pi : F(0));
  const F base_low = steep ? Pi::half_low : (left ? Pi::pi_low : F(0));
  const F angle = copysign(base + (turned + base_low), y);
  return (x != x) | (y != y) ? x + y : angle;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
