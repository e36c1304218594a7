// Functions that device code has and the C library lacks.
#include <cuda_runtime.h>

#include <cmath>
#include <limits>

namespace emulator {

// Winitzki's approximation, then Newton's steps by whichever of erf and erfc is exact there.
double erfinv(double x) {
  if (!(x > -1.0 && x < 1.0)) {
    return x == 1.0    ? std::numeric_limits<double>::infinity()
           : x == -1.0 ? -std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  }
  if (x == 0.0) return x;
  const double a = 0.147, log = std::log1p(-x * x), b = 2.0 / (M_PI * a) + log / 2.0;
  double y = std::copysign(std::sqrt(std::sqrt(b * b - log / a) - b), x);
  for (int step = 0; step < 4; ++step) {
    const double excess = x > 0.5    ? (1.0 - x) - std::erfc(y)
                          : x < -0.5 ? std::erfc(-y) - (1.0 + x)
                                     : std::erf(y) - x;
    y -= excess / (M_2_SQRTPI * std::exp(-y * y));
  }
  return y;
}

double erfcx(double x) {
  if (x < 25.0) return std::exp(x * x) * std::erfc(x);
  const double y = 1.0 / (x * x);  // the asymptotic series
  return (1.0 - y / 2.0 * (1.0 - 1.5 * y * (1.0 - 2.5 * y))) / (x * std::sqrt(M_PI));
}

}  // namespace emulator
