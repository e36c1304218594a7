// Transposition of squares of vectors, and reductions of all their lines at once. For files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>

#include <cstddef>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class Acc, size_t... I>
C10_ALWAYS_INLINE Vec<Acc> zip_low(Vec<Acc> a, Vec<Acc> b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (I % 2 == 0 ? I / 2 : I / 2 + sizeof...(I))...);
}
template <class Acc, size_t... I>
C10_ALWAYS_INLINE Vec<Acc> zip_high(Vec<Acc> a, Vec<Acc> b, std::index_sequence<I...>) {
  constexpr size_t half = sizeof...(I) / 2;
  return __builtin_shufflevector(a, b, (half + (I % 2 == 0 ? I / 2 : I / 2 + sizeof...(I)))...);
}

// Transposes a square of vectors: log2(lanes) times, the first half of the lines is interleaved with the
// second.
template <class Acc>
C10_ALWAYS_INLINE void transpose_lines(Vec<Acc> (&line)[lanes<Acc>]) {
  constexpr int n = lanes<Acc>;
  constexpr std::make_index_sequence<n> all;
#pragma GCC unroll 4
  for (int stage = 1; stage < n; stage *= 2) {
    Vec<Acc> next[n];
#pragma GCC unroll 8
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = zip_low<Acc>(line[i], line[i + n / 2], all);
      next[2 * i + 1] = zip_high<Acc>(line[i], line[i + n / 2], all);
    }
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) line[i] = next[i];
  }
}

// Lane i of the result is line i reduced by `combine`. Half of the lines are interleaved with the others, and
// the two halves of the result combined, until one is left.
template <class Acc, class Combine>
C10_ALWAYS_INLINE Vec<Acc> combine_lines(Vec<Acc> (&line)[lanes<Acc>], const Combine& combine) {
  constexpr std::make_index_sequence<lanes<Acc>> all;
#pragma GCC unroll 4
  for (int half = lanes<Acc> / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) {
      line[i] =
          combine(zip_low<Acc>(line[i], line[i + half], all), zip_high<Acc>(line[i], line[i + half], all));
    }
  }
  return line[0];
}

template <class Acc>
C10_ALWAYS_INLINE Vec<Acc> sum_lines(Vec<Acc> (&line)[lanes<Acc>]) {
  return combine_lines<Acc>(line, [](auto a, auto b) { return a + b; });
}

template <class Acc, size_t... I>
C10_ALWAYS_INLINE Vec<Acc> lanes_from(Vec<Acc> v, int64_t first, std::index_sequence<I...>) {
  const Vec<Acc> index = {static_cast<Acc>(I)...};
  return index >= static_cast<Acc>(first) ? v : Vec<Acc>{};
}

// v with zeros in the lanes before `first`.
template <class Acc>
C10_ALWAYS_INLINE Vec<Acc> lanes_from(Vec<Acc> v, int64_t first) {
  return lanes_from<Acc>(v, first, std::make_index_sequence<lanes<Acc>>());
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
