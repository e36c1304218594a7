// Means and variances of rows, and of neighbouring columns. For files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class Acc, class T>
C10_ALWAYS_INLINE Acc sum_of_squares_about(const T* x, int64_t n, Acc mean) {
  const auto add_square = [mean](auto sum, auto value) {
    const auto d = value - mean;
    return sum + d * d;
  };
  return fold_row(x, n, Acc(0), add_square, [](auto a, auto b) { return a + b; });
}

// A block that fits the first-level cache several times over, and is summed in its own precision.
inline constexpr int64_t chunk_size = 2048;

// Calls f(inputs, n) with chunks of `count` rows at distance `stride`: parts of long rows in place, several
// short ones one after the other in a buffer.
template <int inputs, class T, class F>
C10_ALWAYS_INLINE void for_chunks(const T* const (&rows)[inputs], int64_t count, int64_t stride, int64_t size,
                                  const F& f) {
  const T* chunks[inputs];
  if (count == 1 || 2 * size > chunk_size) {
    for (int64_t row = 0; row < count; ++row) {
      for (int64_t first = 0; first < size; first += chunk_size) {
        for (int k = 0; k < inputs; ++k) chunks[k] = rows[k] + row * stride + first;
        f(chunks, std::min(chunk_size, size - first));
      }
    }
    return;
  }
  T buffer[inputs][chunk_size];
  const int64_t together = chunk_size / size;
  for (int64_t first = 0; first < count; first += together) {
    const int64_t taken = std::min(together, count - first);
    for (int k = 0; k < inputs; ++k) {
      for (int64_t row = 0; row < taken; ++row) {
        std::memcpy(static_cast<void*>(buffer[k] + row * size), rows[k] + (first + row) * stride,
                    size * sizeof(T));
      }
      chunks[k] = buffer[k];
    }
    f(chunks, taken * size);
  }
}

// The count, the mean, and the sum of squared differences from it.
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
C10_ALWAYS_INLINE void merge_chunk(Moments& moments, const T* x, int64_t n) {
  using Acc = ufunc::opmath<T>;
  const Acc mean = row_sum_as<Acc>(x, n) / static_cast<Acc>(n);
  moments.merge(static_cast<double>(n), static_cast<double>(mean),
                static_cast<double>(sum_of_squares_about(x, n, mean)));
}

// Several rows of few columns at a time, as one wide row.
inline int64_t tile_width(int64_t columns) { return columns * std::max<int64_t>(1, 64 / columns); }

// sums[i % width] += f(by_column[i % width], in[i]...) for i < n, where f takes vectors and scalars alike.
template <class Acc, class F, class... In>
C10_ALWAYS_INLINE void add_tiles(Acc* sums, int64_t n, int64_t width, const Acc* by_column, const F& f,
                                 const In*... in) {
  int64_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    int64_t j = 0;
    for (; j + lanes<Acc> <= width; j += lanes<Acc>) {
      const Vec<Acc> c = load(by_column + j);
      const auto term = [&](int64_t at) { return f(c, load_as<Acc>(in + at + j)...); };
      store<Acc>(sums + j, load(sums + j) +
                               ((term(i) + term(i + width)) + (term(i + 2 * width) + term(i + 3 * width))));
    }
    for (; j < width; ++j) {
      for (int64_t at = i + j; at < i + 4 * width; at += width) {
        sums[j] += f(by_column[j], load_one<Acc>(in + at)...);
      }
    }
  }
  for (; i < n; i += width) {
    const int64_t size = std::min(width, n - i);
    const auto add = [&f](auto sum, auto c, auto... v) { return sum + f(c, v...); };
    map_row<Acc>(sums, size, add, sums, by_column, (in + i)...);
  }
}

// Adds the sums of all rows of a tile to those of the first.
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
