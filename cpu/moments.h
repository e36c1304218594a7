// Means and variances of rows and of columns that lie side by side. For files of cpu/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class Acc>
C10_ALWAYS_INLINE Acc sum_of_squares_about(const Acc* x, int64_t n, Acc mean) {
  const auto add_square = [mean](auto sum, auto value) {
    const auto d = value - mean;
    return sum + d * d;
  };
  return fold_row(x, n, Acc(0), add_square, [](auto a, auto b) { return a + b; });
}

// How many numbers, their mean, and the sum of squares about it.
struct Moments {
  double count = 0, mean = 0, squares = 0;

  C10_ALWAYS_INLINE void merge(double n, double other_mean, double other_squares) {
    const double step = other_mean - mean, part = n / (count + n);
    mean += step * part;
    squares += other_squares + step * step * part * count;
    count += n;
  }
};

template <class T>
C10_ALWAYS_INLINE void merge_row(Moments& moments, const T* x, int64_t n) {
  using Acc = ufunc::opmath<T>;
  Acc buffer[std::is_same_v<T, Acc> ? 1 : chunk_size];
  for (int64_t first = 0; first < n; first += chunk_size) {
    const int64_t size = std::min(chunk_size, n - first);
    const Acc* values = widened(x + first, size, buffer);
    const Acc mean = row_sum(values, size) / static_cast<Acc>(size);
    moments.merge(static_cast<double>(size), static_cast<double>(mean),
                  static_cast<double>(sum_of_squares_about(values, size, mean)));
  }
}

// Rows of few columns are taken several at a time, as one wide row.
inline int64_t tile_width(int64_t columns) { return columns * std::max<int64_t>(1, 64 / columns); }

// sums[i % width] += term(i, i % width) for i < n.
template <class Acc, class Term>
C10_ALWAYS_INLINE void add_tiles(Acc* sums, int64_t n, int64_t width, const Term& term) {
  int64_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
#pragma GCC ivdep
    for (int64_t j = 0; j < width; ++j) {
      sums[j] += (term(i + j, j) + term(i + width + j, j)) +
                 (term(i + 2 * width + j, j) + term(i + 3 * width + j, j));
    }
  }
  for (; i < n; i += width) {
    const int64_t size = std::min(width, n - i);
#pragma GCC ivdep
    for (int64_t j = 0; j < size; ++j) {
      sums[j] += term(i + j, j);
    }
  }
}

// Adds the sums of a tile up to those of its first row.
template <class Acc>
void fold_tile(Acc* sums, int64_t columns, int64_t width) {
  for (int64_t j = columns; j < width; ++j) {
    sums[j % columns] += sums[j];
  }
}

// Copies the first row of a tile to the others.
template <class Acc>
void repeat_in_tile(Acc* values, int64_t columns, int64_t width) {
  for (int64_t j = columns; j < width; ++j) {
    values[j] = values[j - columns];
  }
}

// A tile whose rows are these values.
template <class Acc>
std::vector<Acc> tiled(const double* values, int64_t columns) {
  std::vector<Acc> tile(tile_width(columns));
  std::transform(values, values + columns, tile.begin(), [](double v) { return static_cast<Acc>(v); });
  repeat_in_tile(tile.data(), columns, tile_width(columns));
  return tile;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
