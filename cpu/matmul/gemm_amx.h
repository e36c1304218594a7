// Matrix products of 16-bit floats with AMX (gemm_amx_tiles.h). For the AVX-512 copy of the files of
// cpu/*/simd; call it only where has_tile_products() or has_half_tile_products().
// Packed columns of B stay in the second-level cache, in panels of 32. 32 rows of A at a time are packed for
// a block of k that fits the first-level cache and multiplied with all panels; sums are kept in float until
// the next block of k.
#pragma once

#include <ATen/native/cpu/matmul/gemm_amx_tiles.h>

#ifdef HAS_TILE_PRODUCTS

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

using Bits16 = Matrix<c10::BFloat16>;  // operands are only moved, whatever their type

// Elements along k: of a block of A, of packed columns.
inline constexpr int64_t amx_block_k = 512, amx_depth = 2048;
// Elements of packed columns, and rows that use them one after another.
inline constexpr int64_t amx_packed = int64_t(1) << 19, amx_block_rows = 4096;
// Up to this many panels of 32 columns, the rows of A are read in place.
inline constexpr int64_t amx_direct_panels = 2;
// A thread pays off from as many multiply-adds as for float.
inline constexpr int64_t amx_speed = 32;

// Linux enables the registers for a process on request.
inline bool may_use_tiles() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

inline bool has_tile_products() {
  static const bool has = [] {
    unsigned a, b, c, d;
    constexpr unsigned bfloat16 = 1u << 22, tiles = 1u << 24;
    return __builtin_cpu_supports("avx512bf16") && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
           (d & bfloat16) != 0 && (d & tiles) != 0 && may_use_tiles();
  }();
  return has;
}

inline bool has_half_tile_products() {
  static const bool has = [] {
    unsigned a, b, c, d;
    constexpr unsigned half = 1u << 21;
    return has_tile_products() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & half) != 0;
  }();
  return has;
}

// At most 32 rows that are contiguous along k.
inline void pack_left_along(const Bits16& from, int64_t rows, int64_t k, int64_t height, uint16_t* to) {
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t p = 0; p < k; p += amx_step) {
      const __m512i line = i < rows ? _mm512_maskz_loadu_epi16(wide_mask(k - p), from.at(i, p)) : __m512i{};
      _mm512_storeu_si512(to + p * height + i * amx_step, line);
    }
  }
}

// At most 32 rows side by side: pairs of all of them, then 16 pairs of each.
inline void pack_left_across(const Bits16& from, int64_t rows, int64_t k, int64_t height, uint16_t* to) {
  const __mmask32 mask = wide_mask(rows);
  for (int64_t p = 0; p < k; p += amx_step) {
    __m512i low[16], high[16];
    for (int64_t i = 0; i < 16; ++i) {
      const int64_t q = p + 2 * i;
      const __m512i even = q < k ? _mm512_maskz_loadu_epi16(mask, from.at(0, q)) : __m512i{};
      const __m512i odd = q + 1 < k ? _mm512_maskz_loadu_epi16(mask, from.at(0, q + 1)) : __m512i{};
      interleave(even, odd, low[i], high[i]);
    }
    transpose_16x16(low);
    uint16_t* tile = to + p * height;
    for (int64_t i = 0; i < 16; ++i) {
      _mm512_storeu_si512(tile + i * amx_step, low[i]);
    }
    if (height > amx_rows) {
      transpose_16x16(high);
      for (int64_t i = 0; i < 16; ++i) {
        _mm512_storeu_si512(tile + (amx_rows + i) * amx_step, high[i]);
      }
    }
  }
}

inline void pack_left_strided(const Bits16& from, int64_t rows, int64_t k, int64_t height, uint16_t* to) {
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t p = 0; p < round_up(k, amx_step); ++p) {
      to[p / amx_step * amx_step * height + i * amx_step + p % amx_step] =
          i < rows && p < k ? from.at(i, p)->x : 0;
    }
  }
}

// At most 32 rows for the kernel: in place for few columns, else packed.
inline LeftTiles left_tiles(const Bits16& a, int64_t rows, int64_t k, int64_t panels, uint16_t* packed) {
  constexpr int64_t bytes = sizeof(uint16_t);
  const int64_t height = round_up(rows, amx_rows);
  if (a.column_stride == 1 && panels <= amx_direct_panels && rows == height && k % amx_step == 0) {
    return {a.data, a.row_stride * bytes, amx_rows * a.row_stride * bytes, amx_step * bytes};
  }
  if (a.column_stride == 1) {
    pack_left_along(a, rows, k, height, packed);
  } else if (a.row_stride == 1) {
    pack_left_across(a, rows, k, height, packed);
  } else {
    pack_left_strided(a, rows, k, height, packed);
  }
  return {packed, amx_step * bytes, amx_rows * amx_step * bytes, height * amx_step * bytes};
}

// Pairs of a panel: not a power of two, so that neighbouring panels don't evict each other from the cache.
inline int64_t panel_pairs(int64_t k) { return round_up(k, amx_step) / 2 + 1; }

// Columns of B side by side (row_stride of `from` is 1), 32 of them at a time.
inline void pack_right_across(const Bits16& from, int64_t columns, int64_t k, int64_t pairs, uint32_t* to) {
  constexpr int64_t rows_at_once = 8;  // packing all of k at once would touch too many pages
  for (int64_t q = 0; q < k; q += rows_at_once) {
    for (int64_t j = 0; j < columns; j += amx_columns) {
      const __mmask32 mask = wide_mask(columns - j);
      uint32_t *left = to + j * pairs, *right = columns - j > 16 ? left + 16 * pairs : nullptr;
      for (int64_t p = q; p < std::min(k, q + rows_at_once); p += 2) {
        const __m512i even = _mm512_maskz_loadu_epi16(mask, from.at(j, p));
        const __m512i odd = p + 1 < k ? _mm512_maskz_loadu_epi16(mask, from.at(j, p + 1)) : __m512i{};
        __m512i low, high;
        interleave(even, odd, low, high);
        _mm512_storeu_si512(left + p / 2 * 16, low);
        if (right != nullptr) {
          _mm512_storeu_si512(right + p / 2 * 16, high);
        }
      }
    }
  }
}

// Columns of B (rows of `from`) in panels of 16, k filled up with zeros.
inline void pack_right(const Bits16& from, int64_t columns, int64_t k, uint32_t* to) {
  const int64_t pairs = panel_pairs(k);
  if (from.row_stride == 1) {
    pack_right_across(from, columns, k, pairs, to);
  } else {
    pack_pair_panels(
        from, columns, k, pairs, to, [](int64_t left) { return std::min<int64_t>(16, left); },
        [](int64_t) { return 16; });
  }
  for (int64_t j = 0; j < columns; j += 16) {
    std::fill(to + j * pairs + divide_up(k, 2) * 16, to + (j + 16) * pairs, 0);
  }
}

// Packed columns of B, and where their products go: to `sums`, in tiles of 32 x 32, unless it is the last
// block of k, then to `out`.
template <class T>
struct TilePanels {
  const uint32_t* packed;
  int64_t columns, k;
  Output<T, float> out;
  float* sums;
  bool first, last;
};

// At most 32 rows times all panels, for elements [p, p + depth) of k.
template <class T>
void multiply_row_of_tiles(const Bits16& a, int64_t rows, int64_t p, int64_t depth, const TilePanels<T>& b,
                           uint16_t* packed_a) {
  const LeftTiles left = left_tiles(a, rows, depth, divide_up(b.columns, amx_columns), packed_a);
  const int64_t pairs = panel_pairs(b.k), steps = divide_up(depth, amx_step);
  const bool first = b.first && p == 0, last = b.last && p + depth >= b.k;
  alignas(64) float buffer[amx_sums];
  for (int64_t j = 0; j < b.columns; j += amx_columns) {
    const int64_t columns = std::min(amx_columns, b.columns - j);
    float* sums = b.sums + j * 2 * amx_rows;
    run_tiles<T>(rows, columns, steps, left, {b.packed + j * pairs + p / 2 * 16, 16 * pairs}, first, sums,
                 last ? buffer : sums);
    if (last) {
      finish_tiles(buffer, b.out.block(0, j), rows, columns);
    }
  }
}

template <class T>
void multiply_rows_of_tiles(const Bits16& a, int64_t rows, const TilePanels<T>& b, int64_t sums_stride) {
  const int64_t depth = round_up(divide_up(b.k, divide_up(b.k, amx_block_k)), amx_step);
  uint16_t* packed_a =
      static_cast<uint16_t*>(gemm_scratch(GemmScratch::PackedA, 2 * amx_rows * depth * sizeof(uint16_t)));
  for (int64_t i = 0; i < rows; i += 2 * amx_rows) {
    TilePanels<T> panels = b;
    panels.out = b.out.block(i, 0);
    panels.sums = b.sums + i / (2 * amx_rows) * sums_stride;
    for (int64_t p = 0; p < b.k; p += depth) {
      multiply_row_of_tiles(Bits16{a.at(i, p), a.row_stride, a.column_stride},
                            std::min(2 * amx_rows, rows - i), p, std::min(depth, b.k - p), panels, packed_a);
    }
  }
}

inline int64_t even_share(int64_t count, int64_t most, int64_t unit) {
  return round_up(divide_up(count, divide_up(count, most)), unit);
}

// The work of one thread, with its TileRegisters configured: packs columns and multiplies all rows with them.
template <class T>
void multiply_share(int64_t m, int64_t n, int64_t k, const Bits16& a, const Bits16& b,
                    const Output<T, float>& out) {
  const int64_t depth = even_share(k, amx_depth, amx_step);
  const int64_t width = even_share(n, amx_packed / depth / amx_columns * amx_columns, amx_columns);
  const int64_t most_rows = even_share(m, amx_block_rows, 2 * amx_rows);
  // Sums of rows of tiles are kept only if k is split.
  const int64_t sums_stride = depth < k ? width * 2 * amx_rows : 0;
  const int64_t sums = depth < k ? divide_up(most_rows, 2 * amx_rows) * sums_stride : width * 2 * amx_rows;
  const auto scratch = [](GemmScratch slot, int64_t words) { return gemm_scratch(slot, words * 4); };
  uint32_t* packed = static_cast<uint32_t*>(scratch(GemmScratch::PackedB, width * panel_pairs(depth)));
  float* waiting = static_cast<float*>(scratch(GemmScratch::Accumulator, sums));
  for (int64_t i = 0; i < m; i += most_rows) {
    for (int64_t j = 0; j < n; j += width) {
      for (int64_t p = 0; p < k; p += depth) {
        const TilePanels<T> panels{
            packed, std::min(width, n - j), std::min(depth, k - p), out.block(i, j), waiting,
            p == 0, p + depth >= k};
        pack_right(Bits16{b.at(p, j), b.column_stride, b.row_stride}, panels.columns, panels.k, packed);
        multiply_rows_of_tiles(Bits16{a.at(i, p), a.row_stride, a.column_stride}, std::min(most_rows, m - i),
                               panels, sums_stride);
      }
    }
  }
}

// Every thread has columns of its own, and rows too if there are few columns, and packs for itself: no
// synchronisation.
template <class T>
void tile_product(int64_t m, int64_t n, int64_t k, const Bits16& a, const Bits16& b,
                  const Output<T, float>& out) {
  const int64_t work = m * n * k / amx_speed;
  const int64_t threads = work < parallel_work ? 1 : at::get_num_threads();
  const int64_t panels = divide_up(n, amx_columns), rows = divide_up(m, 2 * amx_rows);
  const int64_t column_blocks = std::clamp<int64_t>(panels / 4, 1, threads);
  const int64_t row_blocks = std::min(rows, divide_up(threads, column_blocks));
  maybe_parallel(row_blocks * column_blocks, work, [&](int64_t begin, int64_t end) {
    const TileRegisters registers;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task / column_blocks, column = task % column_blocks;
      const int64_t i = rows * row / row_blocks * 2 * amx_rows,
                    j = panels * column / column_blocks * amx_columns;
      const int64_t i_end = std::min(m, rows * (row + 1) / row_blocks * 2 * amx_rows);
      const int64_t j_end = std::min(n, panels * (column + 1) / column_blocks * amx_columns);
      multiply_share(i_end - i, j_end - j, k, a.from_row(i),
                     Bits16{b.at(0, j), b.row_stride, b.column_stride}, out.block(i, j));
    }
  });
}

// The cost of packing the operands and unpacking the results, in elements copied.
inline double order_cost(const GemmProblem& problem) {
  const double m = problem.m, n = problem.n, k = problem.k;
  const double left = problem.a.column_stride == 1 ? 1 : problem.a.row_stride == 1 ? 3 : 16;
  const double right = problem.b.column_stride == 1 ? 1 : problem.b.row_stride == 1 ? 1.5 : 16;
  const double result = problem.c_column_stride == 1 ? 0 : problem.c_row_stride == 1 ? 2 : 8;
  return left * m * k + right * k * n + result * m * n;
}

// The same product as B^T times A^T.
inline GemmProblem transposed(GemmProblem problem) {
  std::swap(problem.m, problem.n);
  std::swap(problem.a, problem.b);
  std::swap(problem.a.row_stride, problem.a.column_stride);
  std::swap(problem.b.row_stride, problem.b.column_stride);
  std::swap(problem.c_row_stride, problem.c_column_stride);
  return problem;
}

// Whether AMX is fastest: there is enough to do, and a matrix with only one or two vectors on the other side
// isn't worth packing.
inline bool tiles_pay(const GemmProblem& problem) {
  constexpr int64_t least_work = 4096, least_k = 4, few = 2;
  const int64_t m = problem.m, n = problem.n, k = problem.k;
  return m * n * k >= least_work && k >= least_k && std::max(m, n) >= amx_rows &&
         (m > few || problem.b.row_stride == 1) && (n > few || problem.a.column_stride == 1);
}

// Products with AMX. T is Half or BFloat16.
template <class T>
void tile_gemm(const GemmProblem& given, float alpha, float beta) {
  const GemmProblem swapped = transposed(given);
  const GemmProblem& problem = order_cost(swapped) < order_cost(given) ? swapped : given;
  const auto one = [&](int64_t i, const auto& multiply) {
    const Output<T, float> out{static_cast<T*>(problem.c) + i * problem.c_batch_stride, problem.c_row_stride,
                               problem.c_column_stride, alpha, beta};
    multiply(problem.m, problem.n, problem.k, matrix_of<c10::BFloat16>(problem.a, i),
             matrix_of<c10::BFloat16>(problem.b, i), out);
  };
  const int64_t work = problem.m * problem.n * problem.k;
  if (problem.batch < at::get_num_threads() || problem.batch == 1) {
    for (int64_t i = 0; i < problem.batch; ++i) {
      one(i, tile_product<T>);
    }
    return;
  }
  const auto some = [&](int64_t begin, int64_t end) {
    const TileRegisters registers;
    for (int64_t i = begin; i < end; ++i) {
      one(i, multiply_share<T>);
    }
  };
  if (work * problem.batch < parallel_work) {
    return some(0, problem.batch);
  }
  at::parallel_for(0, problem.batch, std::max<int64_t>(1, parallel_work / 4 / work), some);
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native

#endif
