// Accuracy of the scalar functions in ops/math, in units in the last place against the C library in
// a wider type: 16-bit floats one by one, float densely over its whole range, double by sampling; and the
// IEEE special values.
// Compiled once per CPU capability with the flags of cpu/*/simd, so that what is measured is the vectorised
// code.
#include "check.h"

#include <ATen/native/activation/functors/gelu.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/math_arc.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/math_trig.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace math = at::native::math;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// The distance of got from want in units in the last place of F near want.
template <class F, class Wide>
double ulp_error(F result, Wide want) {
  const Wide rounded = static_cast<Wide>(static_cast<F>(want)), got = static_cast<Wide>(result);
  if (std::isnan(rounded) || std::isnan(got)) {
    return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  }
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got) {
      return 0;
    }
    // The largest finite number is one ulp below infinity.
    constexpr Wide largest = std::numeric_limits<F>::max();
    return std::fabs(got) >= largest && std::fabs(rounded) >= largest && (got > 0) == (rounded > 0)
               ? 1
               : INFINITY;
  }
  if (rounded == 0 && got == 0) {
    return std::signbit(rounded) == std::signbit(got) ? 0 : INFINITY;
  }
  int exponent;
  std::frexp(want, &exponent);
  const int lowest = std::numeric_limits<F>::min_exponent;
  const int place = (exponent < lowest ? lowest : exponent) - std::numeric_limits<F>::digits;
  return static_cast<double>(std::ldexp(std::fabs(got - want), -place));
}

struct Random {
  uint64_t state = 0x9e3779b97f4a7c15ULL;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
};

// Whole-range bit patterns (float: every stride-th one) followed by uniform numbers in [-range, range].
template <class F>
std::vector<F> arguments(size_t count, double range) {
  Random random;
  std::vector<F> x(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t r = random.next();
    if (i % 2 == 0) {
      std::memcpy(&x[i], &r, sizeof(F));
    } else {
      x[i] = static_cast<F>((static_cast<double>(r >> 11) * 0x1p-53 * 2 - 1) * range);
    }
  }
  const F special[] = {F(0),
                       -F(0),
                       F(1),
                       F(-1),
                       F(inf),
                       F(-inf),
                       F(not_a_number),
                       std::numeric_limits<F>::min(),
                       std::numeric_limits<F>::denorm_min(),
                       -std::numeric_limits<F>::denorm_min(),
                       std::numeric_limits<F>::max(),
                       std::numeric_limits<F>::lowest()};
  for (size_t i = 0; i < sizeof(special) / sizeof(F); ++i) {
    x[i] = special[i];
  }
  return x;
}

template <class F>
using Wider = std::conditional_t<sizeof(F) <= 4, double, long double>;

template <class F, class Reference>
void check_results(const char* name, double limit, const std::vector<F>& x, const std::vector<F>& y,
                   Reference reference) {
  double worst = 0;
  F where{};
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = ulp_error(y[i], reference(static_cast<Wider<F>>(x[i])));
    if (error > worst) {
      worst = error;
      where = x[i];
    }
  }
  std::printf("%-10s f%zu.%d  worst %.3f ulp at %a\n", name, sizeof(F) * 8, std::numeric_limits<F>::digits,
              worst, static_cast<double>(where));
  CHECK(worst <= limit);
}

template <class F, class Own, class Reference>
void check_unary(const char* name, double range, double limit, Own own, Reference reference, size_t count) {
  const std::vector<F> x = arguments<F>(count, range);
  std::vector<F> y(count);
  for (size_t i = 0; i < count; ++i) {
    y[i] = own(x[i]);
  }
  check_results(name, limit, x, y, reference);
}

// A function of every 16-bit number, computed in float as kernels do.
template <class F, class Own, class Reference>
void check_16_bits(const char* name, double limit, Own own, Reference reference) {
  std::vector<F> x, y;
  std::vector<float> wide;
  for (uint32_t i = 0; i < 1 << 16; ++i) {
    x.push_back(__builtin_bit_cast(F, static_cast<uint16_t>(i)));
    wide.push_back(static_cast<float>(x.back()));
  }
  for (float& one : wide) {
    one = own(one);
  }
  for (float one : wide) {
    y.push_back(static_cast<F>(one));
  }
  check_results(name, limit, x, y, reference);
}

template <class F>
void check_pow(double limit, size_t count) {
  // Bases and exponents of all sizes, then bases near 1 with large exponents.
  std::vector<F> x = arguments<F>(count, 30), y = arguments<F>(count + 7, 40);
  for (size_t i = 3; i < count; i += 4) {
    x[i] = F(1) + x[i] * F(1e-3);
    y[i] = y[i] * F(300);
  }
  const F special[] = {F(0), -F(0), F(1),   F(-1),   F(0.5),          F(-0.5), F(2),    F(-2),
                       F(3), F(-3), F(inf), F(-inf), F(not_a_number), F(1e30), F(-1e30)};
  for (F a : special) {
    for (F b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  y.erase(y.begin() + count, y.begin() + count + 7);
  std::vector<F> z(x.size());
  for (size_t i = 0; i < z.size(); ++i) {
    z[i] = math::pow<F>(x[i], y[i]);
  }
  double worst = 0;
  F at_x = 0, at_y = 0;
  for (size_t i = 0; i < z.size(); ++i) {
    const double error = ulp_error(z[i], std::pow(static_cast<Wider<F>>(x[i]), static_cast<Wider<F>>(y[i])));
    if (error > worst) {
      worst = error;
      at_x = x[i];
      at_y = y[i];
    }
  }
  std::printf("%-10s f%zu.%d  worst %.3f ulp at (%a, %a)\n", "pow", sizeof(F) * 8,
              std::numeric_limits<F>::digits, worst, double(at_x), double(at_y));
  CHECK(worst <= limit);
}

// The normal distribution function. In its tail, what the argument of erfc loses by rounding would count.
template <class W>
W normal(W x) {
  constexpr int digits = std::numeric_limits<W>::digits;
  constexpr W root = W(0.70710678118654752440084436210484903928L);
  constexpr W root_rest = digits == 53   ? W(-4.8336466567264565186e-17L)
                          : digits == 64 ? W(1.8950325588932570797e-20L)
                                         : W(0);
  const W t = -x * root, rest = std::fma(-x, root, -t) - x * root_rest;
  return (std::erfc(t) - W(1.12837916709551257390L) * std::exp(-t * t) * rest) / 2;
}

template <class W>
W gelu(W x) {
  return std::isinf(x) ? (x < 0 ? W(-0.0) : x) : x * normal(x);
}

template <class F>
void check_all_of_16_bits() {
  check_16_bits<F>(
      "gelu", 0.55, [](float x) { return at::native::ufunc::gelu_to_digits<F>(x); }, gelu<double>);
}

template <class F>
void check_all(size_t count) {
  using W = Wider<F>;
  const double big = sizeof(F) == 4 ? 100 : 740;
#define CHECK_UNARY(name, range, limit, reference) \
  check_unary<F>(                                  \
      #name, range, limit, [](F x) { return math::name<F>(x); }, [](W x) -> W { return reference; }, count)
  CHECK_UNARY(exp, big, 1.0, std::exp(x));
  CHECK_UNARY(log, 10, 1.0, std::log(x));
  CHECK_UNARY(sin, 30, 2.0, std::sin(x));
  CHECK_UNARY(cos, 30, 2.0, std::cos(x));
  CHECK_UNARY(sin, 2e6, 2.0, std::sin(x));
  CHECK_UNARY(cos, 2e6, 2.0, std::cos(x));
  CHECK_UNARY(tanh, 3, 2.0, std::tanh(x));
  CHECK_UNARY(logistic, big, 2.0, W(1) / (W(1) + std::exp(-x)));
  CHECK_UNARY(erf, 4, 2.0, std::erf(x));
  CHECK_UNARY(tan, 30, 2.0, std::tan(x));
  CHECK_UNARY(asin, 1, 2.0, std::asin(x));
  CHECK_UNARY(acos, 1, 2.0, std::acos(x));
  CHECK_UNARY(atan, 4, 2.0, std::atan(x));
  CHECK_UNARY(sinh, big, 2.0, std::sinh(x));
  CHECK_UNARY(cosh, big, 2.0, std::cosh(x));
  CHECK_UNARY(asinh, 4, 2.0, std::asinh(x));
  CHECK_UNARY(acosh, 4, 2.0, std::acosh(x));
  CHECK_UNARY(atanh, 1, 2.0, std::atanh(x));
  CHECK_UNARY(exp2, big, 2.0, std::exp2(x));
  CHECK_UNARY(expm1, 2, 2.0, std::expm1(x));
  CHECK_UNARY(log1p, 1, 2.0, std::log1p(x));
  CHECK_UNARY(log2, 10, 1.0, std::log2(x));
  CHECK_UNARY(log10, 10, 1.0, std::log10(x));
  CHECK_UNARY(erfc, 6, 2.0, std::erfc(x));
  CHECK_UNARY(gelu, sizeof(F) == 4 ? 14 : 37, 2.0, gelu(x));
#undef CHECK_UNARY
#ifdef AT_HAS_WIDE_MATH
#define CHECK_REGISTER(name, range, limit, reference)                                      \
  check_unary<F>(                                                                          \
      #name "*", range, limit, [](F x) -> F { return math::name(math::host::all(x))[0]; }, \
      [](W x) -> W { return reference; }, count)
  CHECK_REGISTER(exp, big, 1.0, std::exp(x));
  CHECK_REGISTER(log, 10, 1.0, std::log(x));
  CHECK_REGISTER(log, 1.5, 1.0, std::log(x));
  CHECK_REGISTER(log2, 10, 1.0, std::log2(x));
  CHECK_REGISTER(log2, 1.5, 1.0, std::log2(x));
  CHECK_REGISTER(log10, 10, 1.0, std::log10(x));
  CHECK_REGISTER(log10, 1.5, 1.0, std::log10(x));
  CHECK_REGISTER(tanh, 3, 2.0, std::tanh(x));
  CHECK_REGISTER(tanh, 0.1, 2.0, std::tanh(x));
  CHECK_REGISTER(sqrt, 10, 0.501, std::sqrt(x));
#undef CHECK_REGISTER
#endif
  check_pow<F>(2.0, count);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef AT_HAS_WIDE_MATH
  if (!__builtin_cpu_supports("avx512f")) return 77;  // counts as skipped
#endif
  const size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 400000;
  check_all<float>(count);
  check_all<double>(count);
  check_all_of_16_bits<c10::Half>();
  check_all_of_16_bits<c10::BFloat16>();
  CHECK(math::hypot(3e38f, inf) == inf && math::hypot(not_a_number, -inf) == inf &&
        math::hypot(3e-45f, 0.f) == 3e-45f);
  CHECK(ulp_error(math::hypot(3e300, 4e300), 5e300L) <= 1 &&
        ulp_error(math::hypot(3e-300, 4e-300), 5e-300L) <= 1);
  return check_result();
}
