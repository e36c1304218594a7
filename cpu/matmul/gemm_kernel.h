// Matrix products: register tiles and packing, for the files of cpu/*/simd that instantiate them.
// The product is computed in tiles of up to tile_rows x (vectors x lanes) accumulators that stay in
// registers. A tile reads its operands in place, or packed into the order in which it reads them
// (gemm_blocks.h).
#pragma once

#include <ATen/Parallel.h>
#include <ATen/native/cpu/matmul/gemm.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

inline constexpr int tile_rows = vector_bytes == 64 ? 14 : vector_bytes == 32 ? 6 : 4;
inline constexpr int64_t block_columns = 2048, block_row_tiles = 12;
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
    store_one(c, beta == Acc(0) ? alpha * product : alpha * product + beta * load_one<Acc>(c));
  }
};

// The operands of a tile: element (i, p) of the left one is at data[i * row_stride + p * step], row p of the
// right one at data + p * step.
template <class Acc>
struct TileRows {
  const Acc* data;
  int64_t row_stride, step;
};
template <class Acc>
struct TileColumns {
  const Acc* data;
  int64_t step;
  int64_t count = 0;  // the elements of a partial vector
};

// `count` < lanes elements, the others zero.
template <class Acc>
C10_ALWAYS_INLINE Vec<Acc> load_first(const Acc* p, int64_t count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Acc) == 4) {
    return reinterpret_cast<Vec<Acc>>(_mm512_maskz_loadu_epi32((1U << count) - 1, p));
  } else {
    return reinterpret_cast<Vec<Acc>>(_mm512_maskz_loadu_epi64((1U << count) - 1, p));
  }
#else
  Acc values[lanes<Acc>] = {};
  for (int64_t i = 0; i < count; ++i) {
    values[i] = p[i];
  }
  return load(values);
#endif
}
template <class Acc>
C10_ALWAYS_INLINE void store_first(Acc* p, Vec<Acc> v, int64_t count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Acc) == 4) {
    _mm512_mask_storeu_epi32(p, (1U << count) - 1, reinterpret_cast<__m512i>(v));
  } else {
    _mm512_mask_storeu_epi64(p, (1U << count) - 1, reinterpret_cast<__m512i>(v));
  }
#else
  Acc values[lanes<Acc>];
  store(values, v);
  for (int64_t i = 0; i < count; ++i) {
    p[i] = values[i];
  }
#endif
}

// c = alpha * sum + beta * c.
template <int Rows, int NV, bool Part, class Acc>
C10_ALWAYS_INLINE void store_tile(Vec<Acc> (&sum)[Rows][NV], const Output<Acc, Acc>& c, int64_t count) {
  if (c.alpha != Acc(1)) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] *= c.alpha;
      }
    }
  }
  int64_t row_stride = c.row_stride;
  asm("" : "+r"(row_stride));  // or the addresses of all rows would be kept since their prefetch
  if (c.beta != Acc(0)) {
    const Acc* from = c.data;
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i, from += row_stride) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] += c.beta * (Part ? load_first(from, count) : load(from + j * lanes<Acc>));
      }
    }
  }
  Acc* to = c.data;
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i, to += row_stride) {
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      Part ? store_first(to, sum[i][j], count) : store(to + j * lanes<Acc>, sum[i][j]);
    }
  }
}

// The cache lines of `Bytes` bytes from p on.
template <int Bytes>
C10_ALWAYS_INLINE void prefetch_lines(const void* p) {
#pragma GCC unroll 4
  for (int i = 0; i < Bytes; i += 64) {
    __builtin_prefetch(static_cast<const char*>(p) + i);
  }
}

// One tile of Rows x NV vectors, with Part of b.count columns. Its rows of c are fetched while the products
// are summed.
template <int Rows, int NV, bool Part, class Acc>
__attribute__((noinline)) void tile(int64_t k, const TileRows<Acc>& a, const TileColumns<Acc>& b,
                                    const Output<Acc, Acc>& c) {
  // In bytes, as the compiler would add a second loop for strides of one element.
  const int64_t row_stride = a.row_stride * int64_t(sizeof(Acc)), a_step = a.step * int64_t(sizeof(Acc)),
                b_step = b.step * int64_t(sizeof(Acc));
  constexpr int bases = (Rows + 2) / 3;
  const char* base[bases];
#pragma GCC unroll 16
  for (int i = 0; i < bases; ++i) {
    base[i] = reinterpret_cast<const char*>(a.data) + 3 * i * row_stride;
  }
  const Acc* line = c.data;
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i, line += c.row_stride) {
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      __builtin_prefetch(line + j * lanes<Acc>, 1);
    }
  }
  const char* right = reinterpret_cast<const char*>(b.data);
  const int64_t count = b.count;
  Vec<Acc> sum[Rows][NV] = {};
  for (int64_t p = 0; p < k; ++p, right += b_step) {
    Vec<Acc> row[NV];
    prefetch_lines<Rows * sizeof(Acc)>(base[0] + 8 * a_step);
    prefetch_lines<NV * vector_bytes>(right + 8 * b_step);
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      const Acc* from = reinterpret_cast<const Acc*>(right) + j * lanes<Acc>;
      row[j] = Part ? load_first(from, count) : load(from);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const Acc left = *reinterpret_cast<const Acc*>(base[i / 3] + i % 3 * row_stride);
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] += left * row[j];
      }
    }
#pragma GCC unroll 16
    for (int i = 0; i < bases; ++i) {
      base[i] += a_step;
    }
  }
  store_tile<Rows, NV, Part, Acc>(sum, c, count);
}

// Floating point tiles have exactly as many rows as needed; the others have one of four heights, with rows
// unused.
template <class Acc>
inline int64_t tile_height(int64_t rows) {
  return std::is_floating_point_v<Acc> ? rows : rows > 4 ? tile_rows : rows > 2 ? 4 : rows;
}

// Up to this height there are enough registers for tiles of four vectors.
inline constexpr int wide_rows = vector_bytes == 64 ? 7 : 2;

// Whether there are masked vector loads, at no cost.
inline constexpr bool has_masks = vector_bytes == 64;

// All tiles of a type. Those of float and double are compiled once, in gemm.cpp.
template <class Acc>
struct Tiles {
  using Function = void (*)(int64_t, const TileRows<Acc>&, const TileColumns<Acc>&, const Output<Acc, Acc>&);

  template <int NV, bool Part, int... I>
  static Function of(int64_t height, std::integer_sequence<int, I...>) {
    static constexpr Function tiles[] = {&gemm_detail::tile<I + 1, NV, Part, Acc>...};
    return tiles[height - 1];
  }
  // The tile of 1, 2 or 4 vectors; of a partial one for 0.
  static Function of(int64_t height, int64_t vectors);
};

template <class Acc>
auto Tiles<Acc>::of(int64_t height, int64_t vectors) -> Function {
  if constexpr (std::is_floating_point_v<Acc>) {
    constexpr auto all = std::make_integer_sequence<int, tile_rows>();
    return vectors == 0   ? of<1, has_masks>(height, all)
           : vectors == 1 ? of<1, false>(height, all)
           : vectors == 2 ? of<2, false>(height, all)
                          : of<4, false>(height, std::make_integer_sequence<int, wide_rows>());
  } else {
    return height == 1   ? &gemm_detail::tile<1, 2, false, Acc>
           : height == 2 ? &gemm_detail::tile<2, 2, false, Acc>
           : height == 4 ? &gemm_detail::tile<4, 2, false, Acc>
                         : &gemm_detail::tile<tile_rows, 2, false, Acc>;
  }
}

extern template struct Tiles<float>;
extern template struct Tiles<double>;

// The width of the tile for so many columns, in vectors.
template <class Acc>
int64_t tile_vectors(int64_t columns) {
  return columns > 2 * lanes<Acc> ? 4 : columns > lanes<Acc> || !std::is_floating_point_v<Acc> ? 2 : 1;
}

// to[j][i] = from[i][j] for a block of 4 by 4.
template <class T, class Acc>
C10_ALWAYS_INLINE void transpose_4x4(const T* from, int64_t from_stride, Acc* to, int64_t to_stride) {
  typedef Acc Four __attribute__((vector_size(4 * sizeof(Acc))));
  Four row[4];
  for (int i = 0; i < 4; ++i) {
    const T* line = from + i * from_stride;
    row[i] =
        Four{load_one<Acc>(line), load_one<Acc>(line + 1), load_one<Acc>(line + 2), load_one<Acc>(line + 3)};
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

// Stores a tile's sums from a buffer to the output.
template <class T, class Acc>
__attribute__((noinline)) void store_part(const Acc* sums, int64_t stride, const Output<T, Acc>& out,
                                          int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i) {
    const Acc* line = sums + i * stride;
    int64_t j = 0;
    if constexpr (std::is_same_v<T, Acc>) {
      for (; out.column_stride == 1 && j < columns; j += lanes<Acc>) {
        T* c = out.at(i, j);
        const int64_t count = columns - j;
        Vec<Acc> v = out.alpha * load(line + j);
        if (count >= lanes<Acc>) {
          store(c, out.beta == Acc(0) ? v : v + out.beta * load(c));
        } else {
          store_first(c, out.beta == Acc(0) ? v : v + out.beta * load_first(c, count), count);
        }
      }
    }
    for (; j < columns; ++j) {
      out.store(i, j, line[j]);
    }
  }
}

template <class Acc>
void run_columns(int64_t k, const TileRows<Acc>& a, const TileColumns<Acc>& b, const Output<Acc, Acc>& c,
                 int64_t height, int64_t columns) {
  const int64_t part = columns % lanes<Acc>;
  if (!has_masks || !std::is_floating_point_v<Acc> || part == 0) {
    return Tiles<Acc>::of(height, tile_vectors<Acc>(columns))(k, a, b, c);
  }
  if (columns > lanes<Acc>) {
    Tiles<Acc>::of(height, 1)(k, a, b, c);
  }
  const int64_t last = columns - part;
  Tiles<Acc>::of(height, 0)(k, a, TileColumns<Acc>{b.data + last, b.step, part}, c.block(0, last));
}

// `rows` x `columns` of the output, at most one tile. The operands are padded to the whole tile.
template <class T, class Acc>
void run_tile(int64_t k, const TileRows<Acc>& a, const TileColumns<Acc>& b, const Output<T, Acc>& out,
              int64_t rows, int64_t columns) {
  const int64_t height = tile_height<Acc>(rows), stride = tile_vectors<Acc>(columns) * lanes<Acc>;
  if constexpr (std::is_same_v<T, Acc>) {
    const bool whole = height == rows && ((has_masks && std::is_floating_point_v<Acc>) || columns == stride);
    if (whole && out.column_stride == 1) {
      return run_columns(k, a, b, out, height, columns);
    }
  }
  alignas(vector_bytes) Acc sums[2 * tile_rows * tile_columns<Acc>];
  run_columns(k, a, b, Output<Acc, Acc>{sums, stride, 1, Acc(1), Acc(0)}, height, columns);
  store_part(sums, stride, out, rows, columns);
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

// Lines [first, first + 4) of a panel, for p in [begin, end).
template <class T, class Acc>
C10_ALWAYS_INLINE void pack_four(const Matrix<T>& from, int64_t first, int64_t begin, int64_t end,
                                 int64_t padded, Acc* to) {
  int64_t p = begin;
  for (; p + 4 <= end; p += 4) {
    transpose_4x4(from.at(first, p), from.row_stride, to + p * padded + first, padded);
  }
  for (; p < end; ++p) {
    for (int64_t line = first; line < first + 4; ++line) {
      to[p * padded + line] = load_one<Acc>(from.at(line, p));
    }
  }
}

// Lines that are interleaved already.
template <class Acc>
void pack_vectors(const Matrix<Acc>& from, int64_t width, int64_t k, int64_t padded, Acc* to) {
  for (int64_t p = 0; p < k; ++p, to += padded) {
    const Acc* line = from.at(0, p);
    prefetch_lines<2 * vector_bytes>(line + 4 * from.column_stride);
    for (int64_t i = 0; i < padded; i += lanes<Acc>) {
      const Vec<Acc> v = width - i >= lanes<Acc> ? load(line + i)
                         : width > i             ? load_first(line + i, width - i)
                                                 : Vec<Acc>{};
      if (padded - i >= lanes<Acc>) {
        store(to + i, v);
      } else {
        store_first(to + i, v, padded - i);
      }
    }
  }
}

// Packs `width` lines of k elements, interleaved and padded with zeros to `padded`: to[p * padded + i] =
// from(i, p).
template <class T, class Acc>
void pack_panel(const Matrix<T>& from, int64_t width, int64_t k, int64_t padded, Acc* to) {
  constexpr int64_t line_size = 64 / sizeof(T);
  if constexpr (std::is_same_v<T, Acc>) {
    if (from.row_stride == 1) {
      return pack_vectors(from, width, k, padded, to);
    }
  }
  if (width < padded) {
    for (int64_t p = 0; p < k; ++p) {
      std::fill(to + p * padded + width, to + (p + 1) * padded, Acc(0));
    }
  }
  if (from.row_stride == 1) {
    for (int64_t p = 0; p < k; ++p) {
      convert(from.at(0, p), to + p * padded, width);
    }
  } else if (from.column_stride == 1 && width >= 4) {
    // By cache lines: each is read exactly once, as lines at strides of a power of two evict each other.
    for (int64_t p = 0; p < k; p += line_size) {
      const int64_t end = std::min(k, p + line_size);
      for (int64_t i = 0; i < width; i += 4) {
        i = std::min(i, width - 4);  // the last four overlap the ones before them
        for (int64_t line = i; line < i + 4; ++line) {
          __builtin_prefetch(from.at(line, p) + line_size);
        }
        pack_four(from, i, p, end, padded, to);
      }
    }
  } else {
    for (int64_t i = 0; i < width; ++i) {
      for (int64_t p = 0; p < k; ++p) {
        to[p * padded + i] = load_one<Acc>(from.at(i, p));
      }
    }
  }
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
