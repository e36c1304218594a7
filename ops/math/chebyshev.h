// Sums of Chebyshev polynomials, with which special functions are approximated. tests/numerics/series.py
// computes their coefficients.
#pragma once

#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

// The sum of c[k] T_k(t) for t in [-1, 1], by Clenshaw's recurrence.
template <int n>
C10_HOST_DEVICE inline double chebyshev_sum(const double (&c)[n], double t) {
  const double twice = t + t;
  double last = 0.0, sum = 0.0;
  for (int k = n - 1; k > 0; --k) {
    const double next = twice * sum - last + c[k];
    last = sum;
    sum = next;
  }
  return t * sum - last + c[0];
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
