// What reductions do with their elements, the same on all devices. A Reducer is
//   Map       what an element becomes before it is reduced: of(x)
//   Combine   how two accumulators become one: identity<A>(), combine(a, b), and whether that rounds
//   Project   what the accumulator of `count` elements becomes in the end: of(acc, count)
// Map and Project take scalars of the accumulator's type; combine() and ZeroForNan take vectors as well.
#pragma once

#include <ATen/OpMathType.h>
#include <ATen/native/math/limits.h>
#include <ATen/native/math/types.h>
#include <ATen/native/math/wrapping.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {

// Reductions that add or multiply.
enum class Accumulation {
  Sum,
  Mean,
  Prod,
  NanSum,  // of floating dtypes; NaN counts as 0
};

inline namespace CPU_CAPABILITY {
namespace reducers {

// -------------------- Combine

struct Sum {
  static constexpr bool rounds = true;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return A(0);
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return wrapping_sum(a, b);
  }
};

struct Prod {
  static constexpr bool rounds = true;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return A(1);
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return wrapping_product(a, b);
  }
};

// For both extrema NaN wins over everything. beats(): whether a comes before b.
struct Max {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return lower_bound<A>();
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return ((a > b) | (a != a)) ? a : b;
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE auto beats(V a, V b) {
    return (a > b) | ((a != a) & (b == b));
  }
};

struct Min {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return upper_bound<A>();
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return ((a < b) | (a != a)) ? a : b;
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE auto beats(V a, V b) {
    return (a < b) | ((a != a) & (b == b));
  }
};

// Any and All take elements that are 0 or 1.
struct Any {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return A(0);
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return a | b;
  }
};

struct All {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return A(1);
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return a & b;
  }
};

// Of bits.
struct Xor {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr C10_HOST_DEVICE A identity() {
    return A(0);
  }
  template <class V>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE V combine(V a, V b) {
    return a ^ b;
  }
};

// -------------------- Map and Project

struct Unchanged {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A x) {
    return x;
  }
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A acc, double /*count*/) {
    return acc;
  }
};

struct ZeroForNan {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A x) {
    return x == x ? x : A{};
  }
};

struct IsNotZero {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A x) {
    return x != A(0) ? A(1) : A(0);
  }
};

struct Size {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A x) {
    return std::fabs(x);
  }
};

struct Square {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A x) {
    return x * x;
  }
};

struct Root {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A acc, double /*count*/) {
    return std::sqrt(acc);
  }
};

struct DividedByCount {
  template <class A>
  static C10_HOST_DEVICE C10_ALWAYS_INLINE A of(A acc, double count) {
    return acc / A(static_cast<ufunc::real_of<A>>(count));
  }
};

// -------------------- Reducers

template <class CombineOf, class MapOf = Unchanged, class ProjectOf = Unchanged>
struct Reducer {
  using Combine = CombineOf;
  using Map = MapOf;
  using Project = ProjectOf;
};

// Integers have no mean, and only real numbers are searched for NaN.
template <class R, class A>
inline constexpr bool is_defined =
    std::is_floating_point_v<A> ||
    (!std::is_same_v<typename R::Map, ZeroForNan> &&
     (!std::is_same_v<typename R::Project, DividedByCount> || !std::is_integral_v<A>));

// The accumulators of sums and products of T.
template <class T>
using sum_type = std::conditional_t<std::is_integral_v<T>, int64_t, at::opmath_type<T>>;

// The type in which values of T are compared: one that represents them all.
template <class T>
using extremum_type =
    std::conditional_t<std::is_same_v<T, bool>, uint8_t,
                       std::conditional_t<std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>, int64_t,
                                          at::opmath_type<T>>>;

/// Calls f with the reducer of an accumulation, and its name.
template <class F>
void with_reducer(Accumulation kind, const F& f) {
  switch (kind) {
    case Accumulation::Sum:
      return f(Reducer<Sum>(), "sum");
    case Accumulation::Mean:
      return f(Reducer<Sum, Unchanged, DividedByCount>(), "mean");
    case Accumulation::Prod:
      return f(Reducer<Prod>(), "prod");
    case Accumulation::NanSum:
      return f(Reducer<Sum, ZeroForNan>(), "nansum");
  }
}

/// The same of a vector norm, whose ord is 0, 1, 2, inf or -inf.
template <class F>
void with_norm(double ord, const F& f) {
  if (ord == 0) return f(Reducer<Sum, IsNotZero>());
  if (ord == 1) return f(Reducer<Sum, Size>());
  if (ord == 2) return f(Reducer<Sum, Square, Root>());
  ord > 0 ? f(Reducer<Max, Size>()) : f(Reducer<Min, Size>());
}

// -------------------- argmax and argmin

inline constexpr int64_t nowhere = std::numeric_limits<int64_t>::max();

template <class A>
struct Found {
  A value;
  int64_t index;  // nowhere: no element yet
};

// Of Max or Min: the first of equal elements, whichever was seen first.
template <class Extremum, class A>
struct Position {
  static constexpr C10_HOST_DEVICE Found<A> identity() { return {Extremum::template identity<A>(), nowhere}; }
  static C10_HOST_DEVICE C10_ALWAYS_INLINE Found<A> combine(Found<A> a, Found<A> b) {
    if (Extremum::beats(a.value, b.value)) return a;
    if (Extremum::beats(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
  }
};

// -------------------- var and std

// The count, the mean, and the sum of squared differences from it.
template <class A, class Count>
struct Moments {
  Count n;
  A mean, m2;

  // Welford's update.
  C10_HOST_DEVICE void add(A x) {
    const A delta = x - mean;
    ++n;
    mean += delta / static_cast<A>(n);
    m2 += delta * (x - mean);
  }

  // Chan et al. The first mean may be too large to be squared.
  C10_HOST_DEVICE void merge(const Moments& other) {
    if (other.n == 0) return;
    if (n == 0) {
      *this = other;
      return;
    }
    const Count total = n + other.n;
    const A delta = other.mean - mean;
    const A share = static_cast<A>(other.n) / static_cast<A>(total);
    mean += delta * share;
    m2 += other.m2 + delta * delta * static_cast<A>(n) * share;
    n = total;
  }
};

template <class A>
C10_HOST_DEVICE A variance_of(A m2, double count, double correction, bool take_sqrt) {
  const double divisor = count - correction;
  const A variance = m2 / static_cast<A>(divisor > 0 ? divisor : 0);
  return take_sqrt ? std::sqrt(variance) : variance;
}

}  // namespace reducers
}  // namespace CPU_CAPABILITY
}  // namespace at::native
