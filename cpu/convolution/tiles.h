// Convolutions: register tiles and the transpositions that feed them, for the files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/transpose.h>
#include <ATen/native/cpu/vectors.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace conv_detail {

// A tile is up to max_rows output channels by up to panel_width output positions.
inline constexpr int max_rows = vector_bytes == 64 ? 14 : vector_bytes == 32 ? 6 : 4;
template <class Acc>
inline constexpr int panel_width = 2 * lanes<Acc>;

inline int64_t round_up(int64_t x, int64_t unit) { return (x + unit - 1) / unit * unit; }
// The tile height for so many rows, and the width of its packed weights.
inline int64_t tile_height(int64_t rows) { return rows == 1 ? 1 : round_up(rows, 2); }

// The rows of each tile when they are shared as evenly as the available heights allow.
inline int64_t rows_per_tile(int64_t rows) {
  const int64_t tiles = (rows + max_rows - 1) / max_rows;
  return tiles == 0 ? 1 : tile_height((rows + tiles - 1) / tiles);
}

// The initial value of a tile's sums: what `c` holds, a value per row, or zero.
template <class Acc>
struct TileStart {
  bool accumulate;
  const Acc* bias;
};

// c[i][j] = start + sum over p of a[p][i] * b[p][j]; the first `rows` rows are written.
template <int Rows, int NV, class Acc>
__attribute__((noinline)) void tile(int64_t k, const Acc* a, const Acc* b, int64_t b_stride,
                                    TileStart<Acc> start, int64_t rows, Acc* c, int64_t c_stride) {
  Vec<Acc> sum[Rows][NV] = {};
  if (start.accumulate || start.bias != nullptr) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      if (i >= rows) break;
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] = start.accumulate ? load(c + i * c_stride + j * lanes<Acc>) : start.bias[i] - Vec<Acc>{};
      }
    }
  }
  for (int64_t p = 0; p < k; ++p, a += Rows, b += b_stride) {
    Vec<Acc> right[NV];
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) right[j] = load(b + j * lanes<Acc>);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) sum[i][j] += a[i] * right[j];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    if (i >= rows) break;
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) store(c + i * c_stride + j * lanes<Acc>, sum[i][j]);
  }
}

template <class Acc>
using tile_fn = void (*)(int64_t, const Acc*, const Acc*, int64_t, TileStart<Acc>, int64_t, Acc*, int64_t);

// Tiles of heights 1, 2, 4, ... max_rows.
template <class Acc, int NV, size_t... I>
constexpr std::array<tile_fn<Acc>, sizeof...(I)> tiles_of(std::index_sequence<I...>) {
  return {&tile < I == 0 ? 1 : 2 * static_cast<int>(I), NV, Acc > ...};
}
template <class Acc>
tile_fn<Acc> tile_for(int64_t rows, int64_t columns) {
  static constexpr std::make_index_sequence<max_rows / 2 + 1> heights;
  static constexpr auto wide = tiles_of<Acc, 2>(heights), narrow = tiles_of<Acc, 1>(heights);
  const size_t index = rows == 1 ? 0 : static_cast<size_t>((rows + 1) / 2);
  return columns > lanes<Acc> ? wide[index] : narrow[index];
}

// to[p * height + i] = from[i * stride + p] for lines i < `lines` <= height and p < k; further lines are
// zeros. Whole vectors are stored: what one store writes too much, a later one overwrites, except for up to a
// vector after the end of `to`.
template <class T, class Acc>
__attribute__((noinline)) void interleave_lines(const T* from, int64_t stride, int64_t lines, int64_t k,
                                                int64_t height, Acc* to) {
  constexpr int n = lanes<Acc>;
  int64_t p = 0;
  for (; p + n <= k; p += n) {
    for (int64_t first = (height - 1) / n * n; first >= 0; first -= n) {
      Vec<Acc> line[n];
      for (int i = 0; i < n; ++i) {
        line[i] = first + i < lines ? load_as<Acc>(from + (first + i) * stride + p) : Vec<Acc>{};
      }
      transpose_lines<Acc>(line);
      for (int i = 0; i < n; ++i) store(to + (p + i) * height + first, line[i]);
    }
  }
  for (; p < k; ++p) {
    for (int64_t i = 0; i < height; ++i) {
      to[p * height + i] = i < lines ? load_one<Acc>(from + i * stride + p) : Acc(0);
    }
  }
}

}  // namespace conv_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
