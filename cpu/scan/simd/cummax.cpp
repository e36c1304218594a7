// cummax and cummin.
#include <ATen/Dispatch.h>
#include <ATen/NumericUtils.h>
#include <ATen/Parallel.h>
#include <ATen/native/Lines.h>
#include <ATen/native/cpu/scan/scan_lines.h>
#include <ATen/native/cpu/transpose.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/math/types.h>
#include <ATen/native/scan/stubs.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t most_places = int64_t{1} << 31;  // the most indices that 32-bit lanes can hold

// A NaN is kept until the next one, a number until one that is at least as good.
template <bool largest, class T>
C10_ALWAYS_INLINE void take(T value, int64_t place, T& best, int64_t& at) {
  const bool ahead = largest ? value >= best : value <= best;
  if (at::_isnan(value) || (!at::_isnan(best) && ahead)) {
    best = value;
    at = place;
  }
}

template <class T>
using Places = decltype(Vec<T>{} < Vec<T>{});

template <class T>
C10_ALWAYS_INLINE void store_places(int64_t* to, Places<T> places) {
  std::remove_cvref_t<decltype(places[0])> place[lanes<T>];
  std::memcpy(place, &places, sizeof(place));
  for (int k = 0; k < lanes<T>; ++k) to[k] = place[k];
}

// `take` lane by lane. Comparisons with NaN are false, so no number replaces a NaN.
template <bool largest, class T>
C10_ALWAYS_INLINE void take_lanes(Vec<T> value, Places<T> place, Vec<T>& best, Places<T>& at) {
  const Places<T> ahead = (largest ? value >= best : value <= best) | (value != value);
  best = ahead ? value : best;
  at = ahead ? place : at;
}

// `count` lines, at most as many as lanes: a square of vectors at a time, transposed before and after.
// Returns how many of the n elements are done, a whole number of vectors.
template <bool largest, class T>
int64_t scan_squares(const T* const* in, T* const* values, int64_t* const* indices, int64_t count,
                     int64_t n) {
  constexpr int64_t width = lanes<T>;
  Vec<T> best = {};
  Places<T> at = {};
  int64_t i = 0;
  for (; i + width <= n; i += width) {
    Vec<T> line[width] = {}, places[width];
    for (int64_t r = 0; r < count; ++r) line[r] = load(in[r] + i);
    transpose_lines<T>(line);
    if (i == 0) best = line[0];
#pragma GCC unroll 16
    for (int64_t k = 0; k < width; ++k) {
      take_lanes<largest, T>(line[k], Places<T>{} + static_cast<int>(i + k), best, at);
      line[k] = best;
      places[k] = reinterpret_cast<Vec<T>>(at);
    }
    transpose_lines<T>(line);
    transpose_lines<T>(places);
    for (int64_t r = 0; r < count; ++r) {
      store<T>(values[r] + i, line[r]);
      store_places<T>(indices[r] + i, reinterpret_cast<Places<T>>(places[r]));
    }
  }
  return i;
}

// From element `from` of a line to its end.
template <bool largest, class T>
void scan_extremum(const T* in, T* values, int64_t* indices, int64_t from, int64_t n, int64_t stride) {
  using O = ufunc::opmath<T>;
  O best = load_one<O>(from == 0 ? in : values + (from - 1) * stride);
  int64_t at = from == 0 ? 0 : indices[(from - 1) * stride];
  for (int64_t i = from; i < n; ++i) {
    take<largest>(load_one<O>(in + i * stride), i, best, at);
    store_one(values + i * stride, best);
    indices[i * stride] = at;
  }
}

template <class T>
C10_ALWAYS_INLINE bool any_lane(Places<T> places) {
  int64_t words[vector_bytes / 8], found = 0;
  std::memcpy(words, &places, sizeof(words));
  for (int64_t word : words) found |= word;
  return found != 0;
}

// A long line: vectors without a new extremum, which are most in random lines, are filled with the current
// one.
template <bool largest, class T>
void scan_long_line(const T* in, T* values, int64_t* indices, int64_t n) {
  constexpr int64_t width = lanes<T>;
  T best = in[0];
  int64_t at = 0, i = 0;
  for (; i + width <= n; i += width) {
    const Vec<T> v = load(in + i);
    if (any_lane<T>((largest ? v >= best : v <= best) | (v != v))) {
      scan_extremum<largest>(in, values, indices, i, i + width, 1);
      best = values[i + width - 1];
      at = indices[i + width - 1];
    } else {
      std::fill_n(values + i, width, best);
      std::fill_n(indices + i, width, at);
    }
  }
  scan_extremum<largest>(in, values, indices, i, n, 1);
}

template <bool largest, class T>
void scan_extrema_of_rows(const Lines& lines, const T* in, T* values, int64_t* indices) {
  constexpr int64_t width = lanes<T>;
  const int64_t grain = std::max<int64_t>(1, scan_work_per_task / (lines.n * width));
  at::parallel_for(0, (lines.outer + width - 1) / width, grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * width; first < std::min(end * width, lines.outer); first += width) {
      const int64_t count = std::min(width, lines.outer - first);
      const T* from[width];
      T* to[width];
      int64_t* places[width];
      for (int64_t r = 0; r < count; ++r) {
        const int64_t offset = (first + r) * lines.n;
        from[r] = in + offset, to[r] = values + offset, places[r] = indices + offset;
      }
      const int64_t done = scan_squares<largest, T>(from, to, places, count, lines.n);
      for (int64_t r = 0; r < count; ++r) {
        scan_extremum<largest>(from[r], to[r], places[r], done, lines.n, 1);
      }
    }
  });
}

constexpr int64_t long_line = 128;

// `width` neighbouring lines, a vector of them at a time if there are that many.
template <bool largest, class T>
void scan_extrema_of_columns(const T* in, T* values, int64_t* indices, int64_t n, int64_t stride,
                             int64_t width) {
  int64_t c = 0;
  if constexpr (sizeof(T) >= 4) {
    for (; c + lanes<T> <= width && n <= most_places; c += lanes<T>) {
      Vec<T> best = load(in + c);
      Places<T> at = {};
      for (int64_t i = 0; i < n; ++i) {
        take_lanes<largest, T>(load(in + i * stride + c), Places<T>{} + static_cast<int>(i), best, at);
        store<T>(values + i * stride + c, best);
        store_places<T>(indices + i * stride + c, at);
      }
    }
  }
  for (; c < width; ++c) scan_extremum<largest>(in + c, values + c, indices + c, 0, n, stride);
}

template <bool largest, class T>
void scan_extrema(const Lines& lines, const T* in, T* values, int64_t* indices) {
  if constexpr (sizeof(T) >= 4) {
    const bool many = lines.outer >= 4 && lines.n >= lanes<T> && lines.n < long_line;
    if (lines.inner == 1 && many) return scan_extrema_of_rows<largest>(lines, in, values, indices);
    if (lines.inner == 1) {
      return for_each_scan_block(lines, [&](int64_t first, int64_t) {
        scan_long_line<largest>(in + first, values + first, indices + first, lines.n);
      });
    }
  }
  for_each_scan_block(lines, [&](int64_t first, int64_t width) {
    scan_extrema_of_columns<largest>(in + first, values + first, indices + first, lines.n, lines.inner,
                                     width);
  });
}

void cummax_impl(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t dim,
                 bool largest) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), largest ? "cummax" : "cummin", [&] {
    const Lines lines(self, dim);
    const auto* in = self.const_data_ptr<scalar_t>();
    auto* out = values.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    largest ? scan_extrema<true>(lines, in, out, places) : scan_extrema<false>(lines, in, out, places);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cummax_stub, &cummax_impl)

}  // namespace at::native
