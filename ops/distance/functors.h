// The p-norms of differences, each in three steps: the term of a coordinate, the reduction of the terms, and
// the final result. `slope` is the gradient of a coordinate except for a factor of the pair, which is
// `weight`.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

#include <cstdint>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sign_of(T x) {
  return static_cast<T>(x > T(0)) - static_cast<T>(x < T(0));
}

/// The number of coordinates that differ.
template <class T>
struct ZeroDistance {
  C10_HOST_DEVICE T start() const { return T(0); }
  C10_HOST_DEVICE T fold(T sum, T difference) const { return sum + (difference != T(0) ? T(1) : T(0)); }
  C10_HOST_DEVICE T finish(T sum) const { return sum; }
  C10_HOST_DEVICE T weight(T, T) const { return T(0); }
  C10_HOST_DEVICE T slope(T, T) const { return T(0); }
};

template <class T>
struct OneDistance {
  C10_HOST_DEVICE T start() const { return T(0); }
  C10_HOST_DEVICE T fold(T sum, T difference) const {
    return sum + (difference < T(0) ? -difference : difference);
  }
  C10_HOST_DEVICE T finish(T sum) const { return sum; }
  C10_HOST_DEVICE T weight(T grad, T) const { return grad; }
  C10_HOST_DEVICE T slope(T difference, T) const { return sign_of(difference); }
};

template <class T>
struct TwoDistance {
  C10_HOST_DEVICE T start() const { return T(0); }
  C10_HOST_DEVICE T fold(T sum, T difference) const { return sum + difference * difference; }
  C10_HOST_DEVICE T finish(T sum) const { return math::sqrt(sum); }
  C10_HOST_DEVICE T weight(T grad, T distance) const { return distance == T(0) ? T(0) : grad / distance; }
  C10_HOST_DEVICE T slope(T difference, T) const { return difference; }
};

/// The largest difference; NaN if there is one.
template <class T>
struct MaxDistance {
  C10_HOST_DEVICE T start() const { return T(0); }
  C10_HOST_DEVICE T fold(T largest, T difference) const {
    const T size = difference < T(0) ? -difference : difference;
    return size > largest || size != size ? size : largest;
  }
  C10_HOST_DEVICE T finish(T largest) const { return largest; }
  C10_HOST_DEVICE T weight(T grad, T) const { return grad; }
  C10_HOST_DEVICE T slope(T difference, T distance) const {
    const T size = difference < T(0) ? -difference : difference;
    return size == distance ? sign_of(difference) : T(0);
  }
};

template <class T>
struct PowerDistance {
  T p, reciprocal;
  explicit PowerDistance(double p_) : p(static_cast<T>(p_)), reciprocal(static_cast<T>(1.0 / p_)) {}

  C10_HOST_DEVICE T start() const { return T(0); }
  C10_HOST_DEVICE T fold(T sum, T difference) const {
    return sum + math::pow(difference < T(0) ? -difference : difference, p);
  }
  C10_HOST_DEVICE T finish(T sum) const { return math::pow(sum, reciprocal); }
  C10_HOST_DEVICE T weight(T grad, T distance) const {
    return distance == T(0) ? T(0) : grad / math::pow(distance, p - T(1));
  }
  // Where coordinates are equal and p < 1 the term isn't differentiable: the gradient is 0.
  C10_HOST_DEVICE T slope(T difference, T) const {
    const T size = difference < T(0) ? -difference : difference;
    return difference == T(0) ? T(0) : sign_of(difference) * math::pow(size, p - T(1));
  }
};

/// The index of the pair (i, i + 1) among the pairs of n rows.
C10_HOST_DEVICE constexpr int64_t first_pair(int64_t i, int64_t n) { return i * (2 * n - i - 1) / 2; }

/// Calls f with the functor for p.
template <class T, class F>
void with_distance(double p, const F& f) {
  if (p == 0) return f(ZeroDistance<T>());
  if (p == 1) return f(OneDistance<T>());
  if (p == 2) return f(TwoDistance<T>());
  if (p > 1.7976931348623157e308) return f(MaxDistance<T>());
  return f(PowerDistance<T>(p));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
