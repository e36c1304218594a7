// The reduction of one segment in one column, and its gradient, as the loop on the CPU and kernels on devices
// compute them. Lanes are the threads that share a segment: with `first`, `step` and fold(value, combine) the
// i-th has elements i, i + step, ... and fold() returns what all of them have.
#pragma once

#include <ATen/NumericUtils.h>
#include <ATen/native/math/types.h>
#include <ATen/native/reduction/segments.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <limits>

namespace at::native::segment {
inline namespace CPU_CAPABILITY {

// What a segment begins with, and whether that was given.
template <class O>
struct Start {
  O value;
  bool is_given;
};

template <class O>
Start<O> start_of(const Segments& segments) {
  if (segments.initial) return {static_cast<O>(*segments.initial), true};
  switch (segments.reduction) {
    case SegmentReduction::Max:
      return {-std::numeric_limits<O>::infinity(), false};
    case SegmentReduction::Min:
      return {std::numeric_limits<O>::infinity(), false};
    case SegmentReduction::Prod:
      return {1, false};
    default:
      return {0, false};
  }
}

// One thread has all of a segment.
struct Alone {
  static constexpr int64_t first = 0, step = 1;

  template <class A, class F>
  C10_HOST_DEVICE A fold(A value, const F&) const {
    return value;
  }
};

// NaN is the result of any that has one.
template <class O>
struct Maximum {
  C10_HOST_DEVICE O operator()(O a, O b) const { return a > b || a != a ? a : b; }
};
template <class O>
struct Minimum {
  C10_HOST_DEVICE O operator()(O a, O b) const { return a < b || a != a ? a : b; }
};
template <class O>
struct Sum {
  C10_HOST_DEVICE O operator()(O a, O b) const { return a + b; }
};
template <class O>
struct Product {
  C10_HOST_DEVICE O operator()(O a, O b) const { return a * b; }
};

// Elements first, first + step ... of n.
template <class T>
struct Segment {
  using O = ufunc::opmath<T>;
  const T* first;
  int64_t n, step;

  C10_HOST_DEVICE O operator[](int64_t i) const { return static_cast<O>(first[i * step]); }

  // The lane with the first element begins with `start`, the others with `identity`.
  template <class Lanes, class F>
  C10_HOST_DEVICE O fold(const Lanes& lanes, O start, O identity, const F& combine) const {
    O value = lanes.first == 0 ? start : identity;
    for (int64_t i = lanes.first; i < n; i += lanes.step) value = combine(value, (*this)[i]);
    return lanes.fold(value, combine);
  }
};

template <class T, class Lanes, class O>
C10_HOST_DEVICE O reduced(const Segment<T>& x, const Lanes& lanes, SegmentReduction reduction,
                          const Start<O>& start) {
  constexpr O infinity = std::numeric_limits<O>::infinity();
  switch (reduction) {
    case SegmentReduction::Max:
      return x.fold(lanes, start.value, -infinity, Maximum<O>());
    case SegmentReduction::Min:
      return x.fold(lanes, start.value, infinity, Minimum<O>());
    case SegmentReduction::Prod:
      return x.fold(lanes, start.value, O(1), Product<O>());
    default:
      break;
  }
  const O sum = x.fold(lanes, start.value, O(0), Sum<O>());
  if (reduction == SegmentReduction::Sum) return sum;
  if (x.n == 0) return start.is_given ? start.value : std::numeric_limits<O>::quiet_NaN();
  return sum / static_cast<O>(x.n);
}

// The product of all elements but one.
template <class T, class O>
C10_HOST_DEVICE O product_of_others(const Segment<T>& x, int64_t but, O start) {
  O product = start;
  for (int64_t i = 0; i < x.n; ++i) product *= i == but ? O(1) : x[i];
  return product;
}

template <class O>
C10_HOST_DEVICE bool is_chosen(O value, O output) {
  return value == output || at::_isnan(value);
}

// `out` is where the segment's first element is in the gradient of data.
template <class T, class Lanes, class O>
C10_HOST_DEVICE void write_gradients(T* out, const Segment<T>& x, const Lanes& lanes, O grad, O output,
                                     SegmentReduction reduction, const Start<O>& start) {
  if (reduction == SegmentReduction::Mean) grad /= static_cast<O>(x.n);
  if (reduction == SegmentReduction::Max || reduction == SegmentReduction::Min) {
    int64_t own = 0;
    for (int64_t i = lanes.first; i < x.n; i += lanes.step) own += is_chosen(x[i], output) ? 1 : 0;
    const int64_t chosen = lanes.fold(own, Sum<int64_t>());
    if (chosen > 0) grad /= static_cast<O>(chosen);
    for (int64_t i = lanes.first; i < x.n; i += lanes.step) {
      out[i * x.step] = static_cast<T>(is_chosen(x[i], output) ? grad : O(0));
    }
  } else if (reduction == SegmentReduction::Prod) {
    for (int64_t i = lanes.first; i < x.n; i += lanes.step) {
      const O v = x[i];
      const bool divides = v != 0 && !at::_isnan(v);
      out[i * x.step] = static_cast<T>(grad * (divides ? output / v : product_of_others(x, i, start.value)));
    }
  } else {
    for (int64_t i = lanes.first; i < x.n; i += lanes.step) out[i * x.step] = static_cast<T>(grad);
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::segment
