// Derivatives of gamma- and beta-distributed samples with respect to the distribution's parameter, at a fixed
// probability: -(d cdf / d parameter) / density.
#pragma once

#include <ATen/native/elementwise/functors/gamma.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <limits>

namespace at::native::samplers {

// A value and its derivative.
struct Dual {
  double value, slope;
};
C10_HOST_DEVICE inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
C10_HOST_DEVICE inline Dual operator+(Dual a, double b) { return {a.value + b, a.slope}; }
C10_HOST_DEVICE inline Dual operator-(Dual a, double b) { return {a.value - b, a.slope}; }
C10_HOST_DEVICE inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
C10_HOST_DEVICE inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.value * b.slope + a.slope * b.value};
}
C10_HOST_DEVICE inline Dual operator*(double a, Dual b) { return {a * b.value, a * b.slope}; }
C10_HOST_DEVICE inline Dual operator/(Dual a, Dual b) {
  const double quotient = a.value / b.value;
  return {quotient, (a.slope - quotient * b.slope) / b.value};
}
C10_HOST_DEVICE inline Dual operator/(double a, Dual b) { return Dual{a, 0.0} / b; }

// A continued fraction, 1 / (b0 + a1 / (b1 + a2 / (b2 + ...))), by Lentz's method.
class Fraction {
 public:
  C10_HOST_DEVICE explicit Fraction(Dual b0) : d_(1.0 / b0), value_(d_) {}

  // Returns whether that term was the last one needed.
  C10_HOST_DEVICE bool add(Dual a, Dual b) {
    d_ = 1.0 / (a * d_ + b);
    c_ = b + a / c_;
    const Dual step = c_ * d_;
    value_ = value_ * step;
    return !(std::fabs(step.value - 1.0) > 1e-15 || std::fabs(step.slope) > 1e-15 * std::fabs(value_.slope));
  }
  C10_HOST_DEVICE Dual value() const { return value_; }

 private:
  Dual c_ = {1e300, 0.0}, d_, value_;
};

// Of large shapes: Cornish and Fisher's expansion of the quantile, in the normal quantile z.
C10_HOST_DEVICE inline double large_gamma_slope(double shape, double x) {
  const double root = std::sqrt(shape);
  double z = (x - shape) / root;
  for (int i = 0; i < 8; ++i) {
    const double square = z * z;
    const double quantile = z + (square - 1.0) / (3.0 * root) + z * (square - 7.0) / (36.0 * shape);
    const double slope = 1.0 + 2.0 * z / (3.0 * root) + (3.0 * square - 7.0) / (36.0 * shape);
    z -= (quantile - (x - shape) / root) / slope;
  }
  const double square = z * z;
  return 1.0 + z / (2.0 * root) - z * (square - 7.0) / (72.0 * shape * root) +
         ((3.0 * square + 7.0) * square - 16.0) / (810.0 * shape * shape);
}

// By the power series of P up to x = shape + 1, by the continued fraction of Q beyond.
C10_HOST_DEVICE inline double gamma_slope(double shape, double x) {
  if (!(shape > 0.0 && x >= 0.0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0.0) return 0.0;
  if (shape > 1e5) return large_gamma_slope(shape, x);
  const Dual a = {shape, 1.0};
  if (x <= shape + 1.0) {
    Dual term = {1.0, 0.0}, sum = term;
    for (double n = 1.0; term.value > 1e-17 * sum.value; n += 1.0) {
      term = term * (x / (a + n));
      sum = sum + term;
    }
    return -x / shape *
           ((std::log(x) - ufunc::detail::positive_digamma(shape + 1.0)) * sum.value + sum.slope);
  }
  Dual b = -a + (x + 1.0);
  Fraction fraction(b);
  for (double n = 1.0; n < 5000.0; n += 1.0) {
    b = b + 2.0;
    if (fraction.add(n * (a - n), b)) break;
  }
  const Dual sum = fraction.value();
  return x * ((std::log(x) - ufunc::detail::positive_digamma(shape)) * sum.value + sum.slope);
}

// The continued fraction of the incomplete beta function.
C10_HOST_DEVICE inline Dual beta_fraction(Dual a, Dual b, double x) {
  const Dual total = a + b;
  Fraction fraction({1.0, 0.0});
  fraction.add(-x * (total / (a + 1.0)), {1.0, 0.0});
  for (double m = 1.0; m < 5000.0; m += 1.0) {
    const Dual twice = a + 2.0 * m;
    const Dual even = (m * x) * ((b - m) / ((twice - 1.0) * twice));
    const Dual odd = -x * (((a + m) * (total + m)) / (twice * (twice + 1.0)));
    fraction.add(even, {1.0, 0.0});
    if (fraction.add(odd, {1.0, 0.0})) break;
  }
  return fraction.value();
}

// Of x ~ Beta(alpha, total - alpha) with respect to alpha at a fixed beta, divided by 1 - x.
C10_HOST_DEVICE inline double beta_slope(double x, double alpha, double total) {
  const double beta = total - alpha;
  if (!(alpha > 0.0 && beta > 0.0 && x >= 0.0 && x <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0.0) return 0.0;
  const double log_x = std::log(x), psi_total = ufunc::detail::positive_digamma(total);
  if (x < (alpha + 1.0) / (total + 2.0)) {
    const Dual k = beta_fraction({alpha, 1.0}, {beta, 0.0}, x);
    const double slope = log_x - ufunc::detail::positive_digamma(alpha + 1.0) + psi_total;
    return -x / alpha * (slope * k.value + k.slope);
  }
  const Dual k = beta_fraction({beta, 0.0}, {alpha, 1.0}, 1.0 - x);
  const double slope = log_x - ufunc::detail::positive_digamma(alpha) + psi_total;
  return x / beta * (slope * k.value + k.slope);
}

}  // namespace at::native::samplers
