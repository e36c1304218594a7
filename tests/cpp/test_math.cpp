// Accuracy of the scalar functions in ops/math, in units in the last place against the C library in
// a wider type: 16-bit floats one by one, float and double by sampling; and the IEEE special values.
// Compiled once per CPU capability with the flags of cpu/*/simd, so that what is measured is the vectorised
// code. Each line that begins with a function's name is a cell of the table in ops/math/README.md, which
// tests/numerics/table.py writes.
#include "check.h"

#include <ATen/native/activation/functors/gelu.h>
#include <ATen/native/math/complex_math.h>
#include <ATen/native/math/host_gamma.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/math_arc.h>
#include <ATen/native/math/math_fmod.h>
#include <ATen/native/math/math_hyperbolic.h>
#include <ATen/native/math/math_trig.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
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
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)
};

// Bit patterns of the whole range, and uniform numbers in [-range, range], in turn.
template <class F>
std::vector<F> arguments(size_t count, double range) {
  Random random;
  std::vector<F> x(count);
  for (size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      const uint64_t r = random.next();
      std::memcpy(&x[i], &r, sizeof(F));
    } else {
      x[i] = static_cast<F>((random.uniform() * 2 - 1) * range);
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

// 1 and numbers on both sides of it, at distances of all sizes.
template <class F>
std::vector<F> near_one(size_t count) {
  Random random;
  std::vector<F> x(count);
  for (F& one : x) {
    const int size = static_cast<int>(random.next() % std::numeric_limits<F>::digits);
    one = static_cast<F>(1 + std::ldexp(random.uniform() * 2 - 1, -size));
  }
  return x;
}

template <class F>
using Wider = std::conditional_t<sizeof(F) <= 4, double, long double>;

template <class F>
constexpr const char* type_name = sizeof(F) == 8                        ? "double"
                                  : sizeof(F) == 4                      ? "float"
                                  : std::numeric_limits<F>::digits == 8 ? "BFloat16"
                                                                        : "Half";

// The worst error of a function so far, and where it is.
struct Worst {
  double error = 0, x = 0, y = 0;
  void add(double one, double at_x, double at_y = 0) {
    if (one > error) *this = {one, at_x, at_y};
  }
};

void report(const char* name, const char* type, double limit, const Worst& worst, size_t count) {
  std::printf("%-12s %-9s worst %.3f of %g ulp in %zu points, at %a", name, type, worst.error, limit, count,
              worst.x);
  if (worst.y != 0) std::printf(" and %a", worst.y);
  std::printf("\n");
  CHECK(worst.error <= limit);
}

template <class F, class Reference>
void check_results(const char* name, double limit, const std::vector<F>& x, const std::vector<F>& y,
                   Reference reference) {
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i) {
    worst.add(ulp_error(y[i], reference(static_cast<Wider<F>>(x[i]))), static_cast<double>(x[i]));
  }
  report(name, type_name<F>, limit, worst, x.size());
}

template <class F, class Own, class Reference>
void check_unary(const char* name, const std::vector<F>& x, double limit, Own own, Reference reference) {
  std::vector<F> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
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
struct Pairs {
  std::vector<F> x, y;
};

// Numbers of all sizes, in [-range, range], and each with each special one.
template <class F>
Pairs<F> pairs(size_t count, double range_x, double range_y) {
  std::vector<F> x = arguments<F>(count, range_x), y = arguments<F>(count + 7, range_y);
  y.erase(y.begin(), y.begin() + 7);
  const F special[] = {F(0), -F(0), F(1),   F(-1),   F(0.5),          F(-0.5), F(2),    F(-2),
                       F(3), F(-3), F(inf), F(-inf), F(not_a_number), F(1e30), F(-1e30)};
  for (F a : special) {
    for (F b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  return {x, y};
}

template <class F, class Own, class Reference>
void check_binary(const char* name, const Pairs<F>& at, double limit, Own own, Reference reference) {
  using W = Wider<F>;
  std::vector<F> z(at.x.size());
  for (size_t i = 0; i < z.size(); ++i) {
    z[i] = own(at.x[i], at.y[i]);
  }
  Worst worst;
  for (size_t i = 0; i < z.size(); ++i) {
    worst.add(ulp_error(z[i], reference(static_cast<W>(at.x[i]), static_cast<W>(at.y[i]))),
              static_cast<double>(at.x[i]), static_cast<double>(at.y[i]));
  }
  report(name, type_name<F>, limit, worst, z.size());
}

template <class F>
void check_pairs(size_t count) {
  using W = Wider<F>;
  // For powers, bases near 1 with large exponents, too.
  Pairs<F> powers = pairs<F>(count, 30, 40);
  for (size_t i = 3; i < count; i += 4) {
    powers.x[i] = F(1) + powers.x[i] * F(1e-3);
    powers.y[i] = powers.y[i] * F(300);
  }
  check_binary(
      "pow", powers, 2.0, [](F x, F y) { return math::pow(x, y); }, [](W x, W y) { return std::pow(x, y); });
  const Pairs<F> both = pairs<F>(count, 30, 40);
  check_binary(
      "atan2", both, 2.0, [](F y, F x) { return math::atan2(y, x); },
      [](W y, W x) { return std::atan2(y, x); });
  check_binary(
      "hypot", both, 2.0, [](F x, F y) { return math::hypot(x, y); },
      [](W x, W y) { return std::hypot(x, y); });
  check_binary(
      "fmod", both, 0.0, [](F x, F y) { return math::fmod(x, y); }, [](W x, W y) { return std::fmod(x, y); });
}

// The distance of complex numbers in units in the last place of the result's absolute value: a component far
// below the other has fewer digits.
template <class F>
double complex_error(c10::complex<F> got, std::complex<Wider<F>> want) {
  using W = Wider<F>;
  const W size = std::abs(want), far = std::abs(std::complex<W>(got.real(), got.imag()) - want);
  if (!(size < std::numeric_limits<F>::max() / 4)) return 0;  // overflow: the C library's, tested elsewhere
  int exponent;
  std::frexp(size, &exponent);
  const int lowest = std::numeric_limits<F>::min_exponent;
  return static_cast<double>(
      std::ldexp(far, std::numeric_limits<F>::digits - (exponent < lowest ? lowest : exponent)));
}

template <class F, class Own, class Reference>
void check_complex(const char* name, double range, double limit, Own own, Reference reference, size_t count) {
  using W = Wider<F>;
  Random random;
  Worst worst;
  for (size_t i = 0; i < count; ++i) {
    const auto part = [&] {
      return static_cast<F>((random.uniform() * 2 - 1) * std::ldexp(range, -static_cast<int>(i % 8)));
    };
    const c10::complex<F> z(part(), part());
    worst.add(complex_error(own(z), std::complex<W>(reference(std::complex<W>(z.real(), z.imag())))),
              static_cast<double>(z.real()), static_cast<double>(z.imag()));
  }
  const std::string type = std::string("c.") + type_name<F>;
  report(name, type.c_str(), limit, worst, count);
}

// exp(z) - 1 and log(1 + z), for small z too.
template <class W>
std::complex<W> expm1(std::complex<W> z) {
  const W half = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          std::exp(z.real()) * std::sin(z.imag())};
}
template <class W>
std::complex<W> log1p(std::complex<W> z) {
  const W x = z.real(), y = z.imag();
  const W near = std::log1p(x * (2 + x) + y * y) / 2;
  return {std::abs(z) < W(0.5) ? near : std::log(std::hypot(1 + x, y)), std::atan2(y, 1 + x)};
}

template <class F>
void check_all_complex(size_t count) {
  using C = c10::complex<F>;
  using W = std::complex<Wider<F>>;
#define CHECK_COMPLEX(name, range, limit, reference) \
  check_complex<F>(                                  \
      #name, range, limit, [](C z) { return math::name(z); }, [](W z) { return reference; }, count)
  CHECK_COMPLEX(sqrt, 10, 4.0, std::sqrt(z));
  CHECK_COMPLEX(exp, 20, 4.0, std::exp(z));
  CHECK_COMPLEX(exp2, 20, 20.0, std::exp(z * std::log(Wider<F>(2))));
  CHECK_COMPLEX(log, 10, 4.0, std::log(z));
  CHECK_COMPLEX(log2, 10, 4.0, std::log(z) / std::log(Wider<F>(2)));
  CHECK_COMPLEX(log10, 10, 4.0, std::log(z) / std::log(Wider<F>(10)));
  CHECK_COMPLEX(sin, 20, 4.0, std::sin(z));
  CHECK_COMPLEX(cos, 20, 4.0, std::cos(z));
  CHECK_COMPLEX(tan, 20, 8.0, std::tan(z));
  CHECK_COMPLEX(asin, 10, 4.0, std::asin(z));
  CHECK_COMPLEX(acos, 10, 4.0, std::acos(z));
  CHECK_COMPLEX(atan, 10, 8.0, std::atan(z));
  CHECK_COMPLEX(sinh, 20, 4.0, std::sinh(z));
  CHECK_COMPLEX(cosh, 20, 4.0, std::cosh(z));
  CHECK_COMPLEX(tanh, 20, 8.0, std::tanh(z));
  CHECK_COMPLEX(asinh, 10, 4.0, std::asinh(z));
  CHECK_COMPLEX(acosh, 10, 4.0, std::acosh(z));
  CHECK_COMPLEX(atanh, 10, 8.0, std::atanh(z));
  CHECK_COMPLEX(expm1, 20, 4.0, expm1(z));
  CHECK_COMPLEX(log1p, 10, 8.0, log1p(z));
#undef CHECK_COMPLEX
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

// exp(x^2) erfc(x), beyond 5 by the continued fraction.
template <class W>
W erfcx(W x) {
  if (x < -150) return W(INFINITY);
  if (x > 5) {
    W below = x;
    for (int k = 60; k > 0; --k) {
      below = x + W(k) / 2 / below;
    }
    return W(0.56418958354775628694807945156077258584L) / below;
  }
  const W square = x * x, rest = std::fma(x, x, -square);
  return std::exp(square) * (1 + rest) * std::erfc(x);
}

// Newton's method from the value that is tested: the equation decides.
template <class W>
W erfinv(W x) {
  const W t = std::fabs(x);
  if (!(t < 1)) return t == 1 ? std::copysign(W(INFINITY), x) : W(NAN);
  W y = math::erfinv(static_cast<double>(t));
  for (int i = 0; i < 2; ++i) {
    const W error = t < W(0.5) ? std::erf(y) - t : (1 - t) - std::erfc(y);
    y -= error * W(0.88622692545275801364908374167057259140L) * std::exp(y * y);
  }
  return std::copysign(y, x);
}

template <class F>
void check_all_of_16_bits() {
  check_16_bits<F>(
      "gelu", 0.55, [](float x) { return at::native::ufunc::gelu_to_digits<F>(x); }, gelu<double>);
}

#define CHECK_AT(name, points, limit, reference) \
  check_unary<F>(                                \
      #name, points, limit, [](F x) { return math::name<F>(x); }, [](W x) -> W { return reference; })
#define CHECK_UNARY(name, range, limit, reference) \
  CHECK_AT(name, arguments<F>(count, range), limit, reference)
#define CHECK_NEAR_ONE(name, limit, reference) CHECK_AT(name, near_one<F>(count / 4), limit, reference)

template <class F>
void check_exponentials(size_t count) {
  using W = Wider<F>;
  const double big = sizeof(F) == 4 ? 100 : 740;
  CHECK_UNARY(exp, big, 1.0, std::exp(x));
  CHECK_UNARY(exp2, big, 2.0, std::exp2(x));
  CHECK_UNARY(expm1, 2, 2.0, std::expm1(x));
  CHECK_UNARY(log, 10, 1.0, std::log(x));
  CHECK_NEAR_ONE(log, 1.0, std::log(x));
  CHECK_UNARY(log2, 10, 1.0, std::log2(x));
  CHECK_NEAR_ONE(log2, 1.0, std::log2(x));
  CHECK_UNARY(log10, 10, 1.0, std::log10(x));
  CHECK_NEAR_ONE(log10, 1.0, std::log10(x));
  CHECK_UNARY(log1p, 1, 2.0, std::log1p(x));
  CHECK_UNARY(logistic, big, 2.0, W(1) / (W(1) + std::exp(-x)));
  CHECK_UNARY(sinh, big, 2.0, std::sinh(x));
  CHECK_UNARY(cosh, big, 2.0, std::cosh(x));
  CHECK_UNARY(tanh, 3, 2.0, std::tanh(x));
  CHECK_UNARY(asinh, 4, 2.0, std::asinh(x));
  CHECK_UNARY(acosh, 4, 2.0, std::acosh(x));
  CHECK_NEAR_ONE(acosh, 2.0, std::acosh(x));
  CHECK_UNARY(atanh, 1, 2.0, std::atanh(x));
  CHECK_NEAR_ONE(atanh, 2.0, std::atanh(x));
}

template <class F>
void check_angles(size_t count) {
  using W = Wider<F>;
  CHECK_UNARY(sin, 30, 2.0, std::sin(x));
  CHECK_UNARY(sin, 2e6, 2.0, std::sin(x));
  CHECK_UNARY(cos, 30, 2.0, std::cos(x));
  CHECK_UNARY(cos, 2e6, 2.0, std::cos(x));
  CHECK_UNARY(tan, 30, 2.0, std::tan(x));
  CHECK_UNARY(asin, 1, 2.0, std::asin(x));
  CHECK_NEAR_ONE(asin, 2.0, std::asin(x));
  CHECK_UNARY(acos, 1, 2.0, std::acos(x));
  CHECK_NEAR_ONE(acos, 2.0, std::acos(x));
  CHECK_UNARY(atan, 4, 2.0, std::atan(x));
}

template <class F>
void check_special_functions(size_t count) {
  using W = Wider<F>;
  CHECK_UNARY(erf, 4, 2.0, std::erf(x));
  CHECK_UNARY(erfc, 6, 2.0, std::erfc(x));
  CHECK_UNARY(erfcx, 10, 6.0, erfcx(x));
  CHECK_UNARY(erfcx, 1000, 6.0, erfcx(x));
  CHECK_UNARY(erfinv, 1, 2.5, erfinv(x));
  CHECK_NEAR_ONE(erfinv, 2.5, erfinv(x));
  CHECK_UNARY(gelu, sizeof(F) == 4 ? 14 : 37, 2.0, gelu(x));
  check_unary<F>(
      "lgamma", arguments<F>(count, 20), sizeof(F) == 4 ? 1.0 : 8.0,
      [](F x) { return math::host::lgamma(x); }, [](W x) { return std::lgamma(x); });
}
#undef CHECK_NEAR_ONE
#undef CHECK_UNARY
#undef CHECK_AT

#ifdef AT_HAS_WIDE_MATH
#define CHECK_REGISTER(name, range, limit, reference) \
  check_unary<F>(                                     \
      #name "*", arguments<F>(count, range), limit,   \
      [](F x) -> F { return math::name(math::host::all(x))[0]; }, [](W x) -> W { return reference; })
template <class F>
void check_registers(size_t count) {
  using W = Wider<F>;
  CHECK_REGISTER(exp, sizeof(F) == 4 ? 100 : 740, 1.0, std::exp(x));
  CHECK_REGISTER(log, 10, 1.0, std::log(x));
  CHECK_REGISTER(log, 1.5, 1.0, std::log(x));
  CHECK_REGISTER(log2, 10, 1.0, std::log2(x));
  CHECK_REGISTER(log2, 1.5, 1.0, std::log2(x));
  CHECK_REGISTER(log10, 10, 1.0, std::log10(x));
  CHECK_REGISTER(log10, 1.5, 1.0, std::log10(x));
  CHECK_REGISTER(tanh, 3, 2.0, std::tanh(x));
  CHECK_REGISTER(tanh, 0.1, 2.0, std::tanh(x));
  CHECK_REGISTER(sqrt, 10, 0.501, std::sqrt(x));
}
#undef CHECK_REGISTER
#endif

template <class F>
void check_all(size_t count) {
  check_exponentials<F>(count);
  check_angles<F>(count);
  check_special_functions<F>(count);
  check_pairs<F>(count);
#ifdef AT_HAS_WIDE_MATH
  check_registers<F>(count);
#endif
}

}  // namespace

int main(int argc, char** argv) {
#ifdef AT_HAS_WIDE_MATH
  if (!__builtin_cpu_supports("avx512f")) return 77;  // counts as skipped
#endif
#ifdef CPU_CAPABILITY
  std::printf("capability %s\n", C10_STRINGIZE(CPU_CAPABILITY));
#endif
  const size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 400000;
  check_all<float>(count);
  check_all<double>(count);
  check_all_complex<float>(count / 8);
  check_all_complex<double>(count / 8);
  check_all_of_16_bits<c10::Half>();
  check_all_of_16_bits<c10::BFloat16>();
  CHECK(math::hypot(3e38f, inf) == inf && math::hypot(not_a_number, -inf) == inf &&
        math::hypot(3e-45f, 0.f) == 3e-45f);
  CHECK(ulp_error(math::hypot(3e300, 4e300), 5e300L) <= 1 &&
        ulp_error(math::hypot(3e-300, 4e-300), 5e-300L) <= 1);
  return check_result();
}
