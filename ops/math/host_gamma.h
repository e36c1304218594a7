// Host math: lgamma. In float it is Stirling's series in double, for arguments that the recurrence has
// shifted beyond 8; in double the C library's. The coefficients are B(2k) / (2k (2k - 1)), exact fractions.
#pragma once

#include <ATen/native/math/host_basic.h>
#include <ATen/native/math/host_log.h>
#include <ATen/native/math/host_trig.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// log(gamma(x)) for x >= 0, |error| about 1e-15.
C10_ALWAYS_INLINE double positive_lgamma(double x) {
  double product = 1.0, y = x;
  for (int i = 0; i < 8; ++i) {
    product *= y < 8.0 ? y : 1.0;
    y += y < 8.0 ? 1.0 : 0.0;
  }
  const double inverse = 1.0 / y, z = inverse * inverse;
  const double series = inverse * polynomial(z, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
                                             -691.0 / 360360, 1.0 / 156);
  const double value = (y - 0.5) * log(y) - y + (0.91893853320467274178 + series) - log(product);
  return (x == 1.0) | (x == 2.0) ? 0.0 : value;  // its zeros, which the sum misses by a rounding
}

C10_ALWAYS_INLINE float lgamma(float single) {
  const double x = single, y = fabs(x), magnitude = positive_lgamma(y);
  // |gamma(-y) gamma(y)| = pi / (y |sin(pi y)|)
  const double fraction = y - std::floor(y), folded = fraction > 0.5 ? 1.0 - fraction : fraction;
  const double sine = near_wave<Wave::Sine>(folded * 3.14159265358979323846);
  const double reflected = log(3.14159265358979323846 / (y * sine)) - magnitude;
  const double result = x < 0.0 ? reflected : magnitude;
  return static_cast<float>(y == __builtin_inf() ? y : result);
}

C10_ALWAYS_INLINE double lgamma(double x) { return std::lgamma(x); }

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
