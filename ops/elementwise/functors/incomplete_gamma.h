// The regularized incomplete gamma functions P and Q. They are computed in double.
#pragma once

#include <ATen/native/math/chebyshev.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// log(gamma(1 + a)) for 0 <= a <= 5/4, with a's relative accuracy near 0; tests/numerics/series.py computes
// the coefficients.
C10_HOST_DEVICE inline double near_lgamma(double a) {
  static constexpr double series[] = {
      -0.2060249505146303,    0.3342035894651765,     -0.03197254036093561,    0.004245215596515251,
      -0.000643381725809808,  0.00010452783366293018, -1.770791476978562e-05,  3.0835296380098298e-06,
      -5.474017033393513e-07, 9.856993398555524e-08,  -1.7944534745550668e-08, 3.2952869120859102e-09,
      -6.094452573373941e-10, 1.1338288338382363e-10, -2.1200495878636307e-11, 3.981350343204534e-12,
      -7.505195795335003e-13, 1.419538896389957e-13,  -2.692938476972861e-14,  5.122307874636385e-15,
      -9.766786422220764e-16, 1.8663255692381498e-16, -3.573460197646343e-17,  6.854618219772651e-18,
      -1.3170622790020712e-18};
  return a * math::chebyshev_sum(series, 1.6 * a - 1.0);
}

// m - log(1 + m), where m = x / a - 1, without cancellation near 0.
C10_HOST_DEVICE inline double excess(double a, double x) {
  const double m = (x - a) / a;
  if (math::fabs(m) > 0.5) return m - math::log(x / a);
  const double r = m / (2.0 + m), square = r * r;  // log(1 + m) = 2 atanh(r)
  double sum = 0.0;
  for (int k = 35; k >= 3; k -= 2) {
    sum = sum * square + 1.0 / k;
  }
  return m * r - 2.0 * r * square * sum;
}

// x^a exp(-x) / gamma(a)
C10_HOST_DEVICE inline double incomplete_gamma_factor(double a, double x) {
  if (a < 10.0) {
    if (x > 900.0) return 0.0;
#ifdef __CUDA_ARCH__
    const double gamma = ::tgamma(a + 1.0);
#else
    const double gamma = std::tgamma(a + 1.0);
#endif
    return a * math::pow(x, a) * math::exp(-x) / gamma;
  }
  // Stirling's series of log(gamma(a)).
  const double inverse = 1.0 / a, z = inverse * inverse;
  const double stirling =
      inverse *
      (1.0 / 12 -
       z * (1.0 / 360 -
            z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * (691.0 / 360360 - z * (1.0 / 156)))))));
  return math::exp(-a * excess(a, x) - stirling) * math::sqrt(a * 0.15915494309189533577);
}

// P by its power series, for x up to about a.
C10_HOST_DEVICE inline double lower_series(double a, double x) {
  double term = 1.0, sum = 1.0;
  for (double n = a + 1.0; term > sum * 1e-17; n += 1.0) {
    term *= x / n;
    sum += term;
  }
  return incomplete_gamma_factor(a, x) * sum / a;
}

// Q by its power series, for small a and x: it isn't 1 minus a P close to 1.
C10_HOST_DEVICE inline double upper_series(double a, double x) {
  double term = 1.0, sum = 0.0;
  for (double n = 1.0; n < 50.0; n += 1.0) {
    term *= -x / n;
    sum += term / (a + n);
  }
  const double exponent = a * math::log(x) - near_lgamma(a);
  return -math::expm1(exponent) - a * math::exp(exponent) * sum;
}

// Q by its continued fraction (Lentz), for x above 1 and about a.
C10_HOST_DEVICE inline double upper_fraction(double a, double x) {
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, value = d;
  for (double n = 1.0; n < 2000.0; n += 1.0) {
    const double numerator = n * (a - n);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    const double step = c * d;
    value *= step;
    if (math::fabs(step - 1.0) < 1e-16) break;
  }
  return incomplete_gamma_factor(a, x) * value;
}

// Temme's uniform expansion (1979) for large a: 0.5 erfc(sign * eta * sqrt(a / 2)) and a correction, where
// eta^2 / 2 is the excess above. The coefficients are powers of eta, one row for each power of 1 / a;
// tests/numerics/constants.py computes them.
C10_HOST_DEVICE inline double temme(double a, double x, bool upper) {
  static constexpr double coefficients[] = {
      -0.3333333333333333,     0.08333333333333333,     -0.014814814814814815,   0.0011574074074074073,
      0.0003527336860670194,   -0.0001787551440329218,  3.919263178522438e-05,   -2.185448510679992e-06,
      -1.85406221071516e-06,   8.296711340953087e-07,   -1.7665952736826078e-07, 6.707853543401498e-09,
      1.0261809784240309e-08,  -4.382036018453353e-09,  9.14769958223679e-10,    -2.5514193994946248e-11,
      -5.830772132550426e-11,  2.4361948020667415e-11,  -0.001851851851851852,   -0.003472222222222222,
      0.0026455026455026454,   -0.0009902263374485596,  0.00020576131687242798,  -4.018775720164609e-07,
      -1.8098550334489977e-05, 7.64916091608111e-06,    -1.6120900894563446e-06, 4.647127802807434e-09,
      1.378633446915721e-07,   -5.752545603517705e-08,  1.1951628599778148e-08,  -1.7543241719747647e-11,
      -1.0091543710600413e-09, 4.162792991842583e-10,   0.004133597883597883,    -0.0026813271604938273,
      0.0007716049382716049,   2.0093878600823047e-06,  -0.0001073665322636516,  5.2923448829120125e-05,
      -1.2760635188618728e-05, 3.423578734096138e-08,   1.3721957309062934e-06,  -6.298992138380055e-07,
      1.4280614206064242e-07,  -2.0477098421990866e-10, -1.409252991086752e-08,  0.0006494341563786008,
      0.00022947209362139917,  -0.0004691894943952557,  0.00026772063206283885,  -7.561801671883977e-05,
      -2.396505113867297e-07,  1.1082654115347302e-05,  -5.6749528269915965e-06, 1.4230900732435883e-06,
      -2.7861080291528143e-11, -1.6958404091930278e-07, -0.0008618882909167117,  0.0007840392217200666,
      -0.0002990724803031902,  -1.4638452578843418e-06, 6.641498215465122e-05,   -3.968365047179435e-05,
      1.1375726970678419e-05,  -0.00033679855336635813, -6.972813758365857e-05,  0.0002772753244959392,
      -0.00019932570516188847, 6.797780477937208e-05,   0.0005313079364639922,   -0.0005921664373536939};
  static constexpr int lengths[] = {18, 16, 13, 11, 7, 5, 2};
  const double half = excess(a, x), magnitude = math::sqrt(2.0 * half), eta = x < a ? -magnitude : magnitude;
  double sum = 0.0, power = 1.0;
  const double* row = coefficients;
  for (const int length : lengths) {
    double value = 0.0;
    for (int n = length - 1; n >= 0; --n) {
      value = value * eta + row[n];
    }
    sum += value * power;
    power /= a;
    row += length;
  }
  const double sign = upper ? 1.0 : -1.0;
  const double rest = math::exp(-a * half) * sum * 0.39894228040143267794 / math::sqrt(a);
  return 0.5 * math::erfc(sign * eta * math::sqrt(0.5 * a)) + sign * rest;
}

C10_HOST_DEVICE inline double incomplete_gamma(double a, double x, bool upper) {
  const double infinity = static_cast<double>(__builtin_inff()),
               nan = static_cast<double>(__builtin_nanf(""));
  if (!(a >= 0.0 && x >= 0.0) || (a == 0.0 && x == 0.0) || (a == infinity && x == infinity)) return nan;
  if (a == 0.0 || x == infinity) return upper ? 0.0 : 1.0;
  if (x == 0.0 || a == infinity) return upper ? 1.0 : 0.0;
  // Far from a, P is 0 or 1 in double; nearer, series would take too many terms.
  const double distance = math::fabs(x - a) / a;
  if (a >= 1e4 && distance > 0.4) return (x > a) == upper ? 0.0 : 1.0;
  if (a >= 200.0 && (a >= 1e4 || distance < 4.5 / math::sqrt(a))) return temme(a, x, upper);
  bool is_upper;
  if (x <= 1.1) {
    is_upper = x <= 0.5 ? -0.4 / math::log(x) >= a : x * 1.1 >= a;
  } else {
    is_upper = x > a;
  }
  double value;
  if (!is_upper) {
    value = lower_series(a, x);
  } else {
    value = x <= 1.1 ? upper_series(a, x) : upper_fraction(a, x);
  }
  return is_upper == upper ? value : 1.0 - value;
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T igamma(T self, T other) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(detail::incomplete_gamma(
      static_cast<double>(static_cast<O>(self)), static_cast<double>(static_cast<O>(other)), false)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T igammac(T self, T other) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(detail::incomplete_gamma(
      static_cast<double>(static_cast<O>(self)), static_cast<double>(static_cast<O>(other)), true)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
