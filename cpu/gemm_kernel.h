// Matrix products: register tiles, packing and blocking, for the files of cpu/simd that instantiate them.
//
// The product is computed in tiles of tile_rows x (vectors x lanes) accumulators that stay in registers.
// Operands are packed into the order in which a tile reads them, in blocks sized for the caches; thin
// products skip the packing (direct path) or become dot products (dot path).
#pragma once

#include <ATen/Parallel.h>
#include <ATen/native/cpu/gemm.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/functors/types.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

inline constexpr int tile_rows = vector_bytes == 64 ? 14 : vector_bytes == 32 ? 6 : 4;
inline constexpr int64_t block_k = 256, block_columns = 2048, block_row_tiles = 12;
// Multiply-adds below which a second thread does not pay.
inline constexpr int64_t parallel_work = int64_t(1) << 19;

template <class Acc>
inline constexpr int tile_columns = 2 * lanes<Acc>;

template <class T>
struct Matrix {
  const T* data;
  int64_t row_stride, column_stride;
  const T* at(int64_t row, int64_t column) const { return data + row * row_stride + column * column_stride; }
  Matrix from_row(int64_t row) const { return {at(row, 0), row_stride, column_stride}; }
  Matrix transposed() const { return {data, column_stride, row_stride}; }
};

// Where a product goes: c = alpha * product + beta * c.
template <class T, class Acc>
struct Output {
  T* data;
  int64_t row_stride, column_stride;
  Acc alpha, beta;
  T* at(int64_t row, int64_t column) const { return data + row * row_stride + column * column_stride; }
  Output transposed() const { return {data, column_stride, row_stride, alpha, beta}; }
  Output block(int64_t row, int64_t column) const {
    return {at(row, column), row_stride, column_stride, alpha, beta};
  }
  void store(int64_t row, int64_t column, Acc product) const {
    T* c = at(row, column);
    *c = static_cast<T>(beta == Acc(0) ? alpha * product : alpha * product + beta * static_cast<Acc>(*c));
  }
};

// One tile: `rows` <= Rows, `columns` <= NV * lanes. a holds Rows numbers per step of k; b has row stride
// b_stride.
template <int Rows, int NV, class T, class Acc>
__attribute__((noinline)) void tile(int64_t k, const Acc* a, const Acc* b, int64_t b_stride,
                                    const Output<T, Acc> out, int64_t rows, int64_t columns) {
  Vec<Acc> sum[Rows][NV] = {};
  for (int64_t p = 0; p < k; ++p, a += Rows, b += b_stride) {
    Vec<Acc> right[NV];
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      right[j] = load(b + j * lanes<Acc>);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] += a[i] * right[j];
      }
    }
  }
  if constexpr (std::is_same_v<T, Acc>) {
    if (rows == Rows && columns == NV * lanes<Acc> && out.column_stride == 1) {
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
        Acc* c = out.at(i, 0);
#pragma GCC unroll 16
        for (int j = 0; j < NV; ++j) {
          Vec<Acc> v = out.alpha * sum[i][j];
          if (out.beta != Acc(0)) {
            v += out.beta * load(c + j * lanes<Acc>);
          }
          store(c + j * lanes<Acc>, v);
        }
      }
      return;
    }
  }
  Acc buffer[Rows][NV * lanes<Acc>];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      store(&buffer[i][j * lanes<Acc>], sum[i][j]);
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      out.store(i, j, buffer[i][j]);
    }
  }
}

// The height of the tile that serves `rows` rows, and a call of it. Packed A panels have that width.
inline int tile_height(int64_t rows) {
  return rows >= tile_rows ? tile_rows : rows > 4 ? tile_rows : rows > 2 ? 4 : rows > 1 ? 2 : 1;
}
template <class T, class Acc>
void run_tile(int64_t k, const Acc* a, const Acc* b, int64_t b_stride, const Output<T, Acc>& out,
              int64_t rows, int64_t columns) {
  switch (tile_height(rows)) {
    case 1:
      return tile<1, 2>(k, a, b, b_stride, out, rows, columns);
    case 2:
      return tile<2, 2>(k, a, b, b_stride, out, rows, columns);
    case 4:
      return tile<4, 2>(k, a, b, b_stride, out, rows, columns);
    default:
      return tile<tile_rows, 2>(k, a, b, b_stride, out, rows, columns);
  }
}

// to[j][i] = from[i][j] for a block of 4 by 4.
template <class T, class Acc>
C10_ALWAYS_INLINE void transpose_4x4(const T* from, int64_t from_stride, Acc* to, int64_t to_stride) {
  typedef Acc Four __attribute__((vector_size(4 * sizeof(Acc))));
  Four row[4];
  for (int i = 0; i < 4; ++i) {
    const T* line = from + i * from_stride;
    row[i] = Four{static_cast<Acc>(line[0]), static_cast<Acc>(line[1]), static_cast<Acc>(line[2]),
                  static_cast<Acc>(line[3])};
  }
  const Four ab_low = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  const Four ab_high = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const Four cd_high = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const Four columns[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                           __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                           __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                           __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (int j = 0; j < 4; ++j) {
    std::memcpy(to + j * to_stride, &columns[j], sizeof(Four));
  }
}

// Packs `width` lines of k numbers side by side, padded with zeros to `padded`: to[p * padded + i] = from(i,
// p).
template <class T, class Acc>
void pack_panel(const Matrix<T>& from, int64_t width, int64_t k, int64_t padded, Acc* to) {
  if (width == padded && from.row_stride == 1) {
    for (int64_t p = 0; p < k; ++p) {
      const T* line = from.at(0, p);
      for (int64_t i = 0; i < padded; ++i) {
        to[p * padded + i] = static_cast<Acc>(line[i]);
      }
    }
    return;
  }
  // A few lines at a time: more of them, at strides of a power of two, would evict each other from the cache.
  int64_t i = 0;
  for (; from.column_stride == 1 && i + 4 <= width; i += 4) {
    int64_t p = 0;
    for (; p + 4 <= k; p += 4) {
      transpose_4x4(from.at(i, p), from.row_stride, to + p * padded + i, padded);
    }
    for (; p < k; ++p) {
      for (int64_t line = i; line < i + 4; ++line) {
        to[p * padded + line] = static_cast<Acc>(*from.at(line, p));
      }
    }
  }
  for (; i < width; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      to[p * padded + i] = static_cast<Acc>(*from.at(i, p));
    }
  }
  if (width < padded) {
    for (int64_t p = 0; p < k; ++p) {
      std::fill(to + p * padded + width, to + (p + 1) * padded, Acc(0));
    }
  }
}

// Rows of A into panels as high as the tiles that read them.
template <class T, class Acc>
void pack_rows(const Matrix<T>& a, int64_t rows, int64_t k, Acc* to) {
  for (int64_t i = 0; i < rows; i += tile_rows) {
    const int64_t height = std::min<int64_t>(tile_rows, rows - i);
    pack_panel(Matrix<T>{a.at(i, 0), a.row_stride, a.column_stride}, height, k, tile_height(height), to);
    to += tile_height(height) * k;
  }
}

inline int64_t round_up(int64_t x, int64_t unit) { return (x + unit - 1) / unit * unit; }
inline int64_t divide_up(int64_t x, int64_t y) { return (x + y - 1) / y; }

template <class F>
void maybe_parallel(int64_t tasks, int64_t work, const F& f) {
  if (work < parallel_work || tasks <= 1) {
    f(0, tasks);
  } else {
    at::parallel_for(0, tasks, 1, f);
  }
}

// The general path for one block of k: packed B is shared, every task packs its own rows of A.
template <class T, class TOut, class Acc>
void packed_block(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                  const Output<TOut, Acc>& out) {
  constexpr int64_t width = tile_columns<Acc>;
  const int64_t panels = divide_up(n, width), work = m * n * k;
  Acc* packed_b = static_cast<Acc*>(gemm_scratch(GemmScratch::PackedB, panels * width * k * sizeof(Acc)));
  maybe_parallel(panels, work, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t j = panel * width;
      const Matrix<T> columns{b.at(0, j), b.column_stride, b.row_stride};
      pack_panel(columns, std::min(width, n - j), k, width, packed_b + j * k);
    }
  });
  const int64_t threads = work < parallel_work ? 1 : at::get_num_threads();
  const int64_t row_tiles = divide_up(m, tile_rows);
  const int64_t row_blocks = std::min(row_tiles, round_up(divide_up(row_tiles, block_row_tiles), threads));
  const int64_t rows_per_block = divide_up(row_tiles, row_blocks) * tile_rows;
  const int64_t column_blocks = std::min(panels, divide_up(threads, row_blocks));
  const int64_t panels_per_block = divide_up(panels, column_blocks);
  maybe_parallel(row_blocks * column_blocks, work, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t first_row = task / column_blocks * rows_per_block;
      const int64_t first_panel = task % column_blocks * panels_per_block;
      const int64_t rows = std::min(rows_per_block, m - first_row);
      if (rows <= 0) {
        continue;
      }
      Acc* packed_a =
          static_cast<Acc*>(gemm_scratch(GemmScratch::PackedA, round_up(rows, tile_rows) * k * sizeof(Acc)));
      pack_rows(Matrix<T>{a.at(first_row, 0), a.row_stride, a.column_stride}, rows, k, packed_a);
      for (int64_t panel = first_panel; panel < std::min(panels, first_panel + panels_per_block); ++panel) {
        const int64_t j = panel * width;
        for (int64_t i = 0; i < rows; i += tile_rows) {
          run_tile(k, packed_a + i * k, packed_b + j * k, width, out.block(first_row + i, j),
                   std::min<int64_t>(tile_rows, rows - i), std::min(width, n - j));
        }
      }
    }
  });
}

template <class T, class TOut, class Acc>
void packed_product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                    Output<TOut, Acc> out) {
  if constexpr (ufunc::is_half<TOut>) {
    if (k > block_k) {  // partial sums must not be rounded to 16 bits
      Acc* sums = static_cast<Acc*>(gemm_scratch(GemmScratch::Accumulator, m * n * sizeof(Acc)));
      packed_product(m, n, k, a, b, Output<Acc, Acc>{sums, n, 1, Acc(1), Acc(0)});
      maybe_parallel(m, m * n, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            out.store(i, j, sums[i * n + j]);
          }
        }
      });
      return;
    }
  }
  for (int64_t p = 0; p < k; p += block_k) {
    const int64_t depth = std::min(block_k, k - p);
    for (int64_t j = 0; j < n; j += block_columns) {
      packed_block(m, std::min(block_columns, n - j), depth,
                   Matrix<T>{a.at(0, p), a.row_stride, a.column_stride},
                   Matrix<T>{b.at(p, j), b.row_stride, b.column_stride}, out.block(0, j));
    }
    out.beta = Acc(1);
  }
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
