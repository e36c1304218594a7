// Matrix products of bfloat16 with AVX512_BF16's dot products of pairs (vdpbf16ps): sum += x0 * y0 + x1 * y1
// in float for 16 pairs of each side. For the AVX-512 copy of cpu/matmul/simd/gemm_bfloat16.cpp; call it only
// where the processor has AVX512_BF16.
// The instruction treats subnormal values as zeros and produces none, whatever the thread's mode; PyTorch
// (oneDNN) uses the same one. Infinities and NaNs are as usual.
// Tiles and blocks are those of gemm_kernel.h, with a pair of neighbours along k as the element (the last
// pair of an odd k has a zero): A is packed as pairs that are broadcast, B as 32 columns of pairs side by
// side.
#pragma once

#if defined(__x86_64__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HAS_PAIR_PRODUCTS 1

#include <ATen/native/cpu/matmul/gemm_bf16_pack.h>

// Marks a function that uses the instruction.
#define PAIR_PRODUCTS __attribute__((target("avx512bf16")))

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

// Elements along k whose sums stay in registers.
inline constexpr int64_t pair_block_k = 1024;
// Elements of B that stay in a near cache.
inline constexpr int64_t pair_small_b = int64_t(1) << 16;

// Where the tiles of one block of k go: to `sums` unless it is the last block, with those of earlier blocks
// added.
struct PairOutput {
  Output<c10::BFloat16, float> out;
  float* sums;
  int64_t sums_stride;
  bool first, last;
  // The products, rounded, are the result.
  bool plain() const { return first && last && out.column_stride == 1 && out.alpha == 1 && out.beta == 0; }
  PairOutput block(int64_t row, int64_t column) const {
    return {out.block(row, column), sums == nullptr ? nullptr : sums + row * sums_stride + column,
            sums_stride, first, last};
  }
};

C10_ALWAYS_INLINE __mmask16 lane_mask(int64_t count) {
  return static_cast<__mmask16>(count >= 16 ? 0xFFFF : count <= 0 ? 0 : (1 << count) - 1);
}

// Stores the sums of a tile, `stride` apart, to the output.
C10_NOINLINE inline void finish_rows(const float* sums, int64_t stride, const PairOutput& to, int64_t rows,
                                     int64_t columns) {
  const Output<c10::BFloat16, float>& out = to.out;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; j += 16) {
      const __mmask16 mask = lane_mask(columns - j);
      float* partial = to.sums == nullptr ? nullptr : to.sums + i * to.sums_stride + j;
      Vec<float> sum = load(sums + i * stride + j);
      if (!to.first) {
        sum += reinterpret_cast<Vec<float>>(_mm512_maskz_loadu_ps(mask, partial));
      }
      if (!to.last) {
        _mm512_mask_storeu_ps(partial, mask, reinterpret_cast<__m512>(sum));
        continue;
      }
      c10::BFloat16* c = out.at(i, j);
      if (out.column_stride != 1) {
        for (int64_t lane = 0; lane < std::min<int64_t>(16, columns - j); ++lane) {
          out.store(i, j + lane, sum[lane]);
        }
        continue;
      }
      sum *= out.alpha;
      if (out.beta != 0) {
        const __m512i bits = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, c));
        sum += out.beta * reinterpret_cast<Vec<float>>(_mm512_slli_epi32(bits, 16));
      }
      __m256i rounded;
      store_as<float>(reinterpret_cast<c10::BFloat16*>(&rounded), sum);
      _mm256_mask_storeu_epi16(c, mask, rounded);
    }
  }
}

template <int Rows, int NV>
PAIR_PRODUCTS C10_ALWAYS_INLINE void finish_tile(const __m512 (&sum)[Rows][NV], const PairOutput& to,
                                                 int64_t rows, int64_t columns) {
  if (!to.plain()) {
    float buffer[Rows][NV * 16];
    std::memcpy(buffer, sum, sizeof(buffer));
    return finish_rows(buffer[0], NV * 16, to, rows, columns);
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    if (i >= rows) {
      break;
    }
    if constexpr (NV == 1) {
      const __m256bh rounded = _mm512_cvtneps_pbh(sum[i][0]);
      _mm256_mask_storeu_epi16(to.out.at(i, 0), lane_mask(columns), reinterpret_cast<__m256i>(rounded));
    } else {
#pragma GCC unroll 16
      for (int j = 0; j < NV; j += 2) {
        const __m512bh rounded = _mm512_cvtne2ps_pbh(sum[i][j + 1], sum[i][j]);
        if (columns >= (j + 2) * 16) {
          _mm512_storeu_si512(to.out.at(i, j * 16), reinterpret_cast<__m512i>(rounded));
        } else {
          _mm512_mask_storeu_epi16(to.out.at(i, j * 16), wide_mask(columns - j * 16),
                                   reinterpret_cast<__m512i>(rounded));
        }
      }
    }
  }
}

// One step of k for all accumulators of a tile.
template <int Rows, int NV>
PAIR_PRODUCTS C10_ALWAYS_INLINE void multiply_pairs(__m512 (&sum)[Rows][NV], const uint32_t* a,
                                                    const __m512i (&right)[NV]) {
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    const __m512bh left = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(a[i])));
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      sum[i][j] = _mm512_dpbf16_ps(sum[i][j], reinterpret_cast<__m512bh>(right[j]), left);
    }
  }
}

// A tile of packed columns.
template <int Rows, int NV>
PAIR_PRODUCTS C10_NOINLINE void packed_pair_tile(int64_t pairs, const uint32_t* a, const uint32_t* b,
                                                 const PairOutput& to, int64_t rows, int64_t columns) {
  __m512 sum[Rows][NV] = {};
  for (int64_t p = 0; p < pairs; ++p, a += Rows, b += pair_columns) {
    __m512i right[NV];
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      right[j] = _mm512_loadu_si512(b + j * 16);
    }
    multiply_pairs(sum, a, right);
  }
  finish_tile(sum, to, rows, columns);
}

// A tile of columns that are read in place: rows of b are contiguous.
template <int Rows, int NV>
PAIR_PRODUCTS C10_NOINLINE void direct_pair_tile(int64_t k, const uint32_t* a, const c10::BFloat16* b,
                                                 int64_t b_stride, const PairOutput& to, int64_t rows,
                                                 int64_t columns) {
  __m512 sum[Rows][NV] = {};
  __mmask32 mask[NV / 2];
#pragma GCC unroll 16
  for (int j = 0; j < NV / 2; ++j) {
    mask[j] = wide_mask(columns - j * pair_columns);
  }
  for (int64_t p = 0; p < k; p += 2, a += Rows, b += 2 * b_stride) {
    __m512i right[NV];
#pragma GCC unroll 16
    for (int j = 0; j < NV / 2; ++j) {
      const __m512i even = _mm512_maskz_loadu_epi16(mask[j], b + j * pair_columns);
      const __m512i odd = _mm512_maskz_loadu_epi16(p + 1 < k ? mask[j] : 0,
                                                   b + (p + 1 < k ? b_stride : 0) + j * pair_columns);
      interleave(even, odd, right[2 * j], right[2 * j + 1]);
    }
    multiply_pairs(sum, a, right);
  }
  finish_tile(sum, to, rows, columns);
}

template <int Rows>
void packed_pair_columns(int64_t pairs, const uint32_t* a, const uint32_t* b, const PairOutput& to,
                         int64_t rows, int64_t columns) {
  if (columns > 16) {
    packed_pair_tile<Rows, 2>(pairs, a, b, to, rows, columns);
  } else {
    packed_pair_tile<Rows, 1>(pairs, a, b, to, rows, columns);
  }
}

inline void run_packed_pairs(int64_t pairs, const uint32_t* a, const uint32_t* b, const PairOutput& to,
                             int64_t rows, int64_t columns) {
  switch (pair_height(rows)) {
    case 1:
      return packed_pair_columns<1>(pairs, a, b, to, rows, columns);
    case 2:
      return packed_pair_columns<2>(pairs, a, b, to, rows, columns);
    case 4:
      return packed_pair_columns<4>(pairs, a, b, to, rows, columns);
    case 8:
      return packed_pair_columns<8>(pairs, a, b, to, rows, columns);
    default:
      return packed_pair_columns<tile_rows>(pairs, a, b, to, rows, columns);
  }
}

template <int Rows, int NV>
void direct_pair_columns(int64_t begin, int64_t end, int64_t k, const uint32_t* a,
                         const Matrix<c10::BFloat16>& b, const PairOutput& to, int64_t rows) {
  for (int64_t j = begin; j < end; j += NV * 16) {
    direct_pair_tile<Rows, NV>(k, a, b.at(0, j), b.row_stride, to.block(0, j), rows,
                               std::min<int64_t>(NV * 16, end - j));
  }
}

// Few rows in A, rows of B contiguous: B is not packed.
inline void direct_pair_product(int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                                const Matrix<c10::BFloat16>& b, const Output<c10::BFloat16, float>& out) {
  const int64_t pairs = divide_up(k, 2);
  uint32_t* packed_a = static_cast<uint32_t*>(
      gemm_scratch(GemmScratch::PackedA, round_up(m, tile_rows) * pairs * sizeof(uint32_t)));
  pack_pair_rows(a, m, k, packed_a);
  const PairOutput to{out, nullptr, 0, true, true};
  constexpr int64_t chunk = 4 * pair_columns;
  maybe_parallel(divide_up(n, chunk), m * n * k / pair_speed, [&](int64_t first, int64_t last) {
    const int64_t begin = first * chunk, end = std::min(n, last * chunk);
    for (int64_t i = 0, rows = 0; i < m; i += rows) {
      rows = next_pair_rows(m - i);
      const uint32_t* panel = packed_a + i * pairs;
      switch (pair_height(rows)) {
        case 1:
          direct_pair_columns<1, 8>(begin, end, k, panel, b, to.block(i, 0), rows);
          break;
        case 2:
          direct_pair_columns<2, 8>(begin, end, k, panel, b, to.block(i, 0), rows);
          break;
        case 4:
          direct_pair_columns<4, 4>(begin, end, k, panel, b, to.block(i, 0), rows);
          break;
        case 8:
          direct_pair_columns<8, 2>(begin, end, k, panel, b, to.block(i, 0), rows);
          break;
        default:
          direct_pair_columns<tile_rows, 2>(begin, end, k, panel, b, to.block(i, 0), rows);
      }
    }
  });
}

// Some columns of B, packed.
struct PairPanels {
  const uint32_t* packed;
  int64_t first, last;  // of 32 columns
};

inline PairPanels pack_panels(int64_t first, int64_t last, int64_t n, int64_t k,
                              const Matrix<c10::BFloat16>& b, uint32_t* packed) {
  const int64_t j = first * pair_columns;
  pack_pair_columns(b.transposed().from_row(j), std::min(n, last * pair_columns) - j, k, packed);
  return {packed, first, last};
}

inline uint32_t* scratch_for_panels(int64_t panels, int64_t k) {
  return static_cast<uint32_t*>(
      gemm_scratch(GemmScratch::PackedB, panels * pair_columns * divide_up(k, 2) * sizeof(uint32_t)));
}

// Packs these rows of A (the first one of `a` on) and multiplies them with the columns.
inline void multiply_panels(int64_t rows, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                            const PairPanels& b, const PairOutput& to) {
  const int64_t pairs = divide_up(k, 2);
  uint32_t* packed_a = static_cast<uint32_t*>(
      gemm_scratch(GemmScratch::PackedA, round_up(rows, tile_rows) * pairs * sizeof(uint32_t)));
  pack_pair_rows(a, rows, k, packed_a);
  const auto run = [&](int64_t i, int64_t height, int64_t panel) {
    const int64_t j = panel * pair_columns;
    run_packed_pairs(pairs, packed_a + i * pairs, b.packed + (j - b.first * pair_columns) * pairs,
                     to.block(i, j), height, std::min(pair_columns, n - j));
  };
  if (n * k <= pair_small_b) {  // rows of the result are written one after another
    for (int64_t i = 0, height = 0; i < rows; i += height) {
      height = next_pair_rows(rows - i);
      for (int64_t panel = b.first; panel < b.last; ++panel) {
        run(i, height, panel);
      }
    }
    return;
  }
  for (int64_t panel = b.first; panel < b.last; ++panel) {
    for (int64_t i = 0, height = 0; i < rows; i += height) {
      height = next_pair_rows(rows - i);
      run(i, height, panel);
    }
  }
}

// One block of k, where each thread has columns of its own: it packs them, and all of A. No synchronisation,
// and no data moves between cores' caches.
inline void split_columns(int64_t threads, int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                          const Matrix<c10::BFloat16>& b, const PairOutput& to) {
  const int64_t panels = divide_up(n, pair_columns);
  const auto columns_of = [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t first = panels * task / threads, last = panels * (task + 1) / threads;
      const PairPanels own = pack_panels(first, last, n, k, b, scratch_for_panels(last - first, k));
      for (int64_t i = 0; i < m; i += block_row_tiles * tile_rows) {
        multiply_panels(std::min(block_row_tiles * tile_rows, m - i), n, k, a.from_row(i), own,
                        to.block(i, 0));
      }
    }
  };
  maybe_parallel(threads, m * n * k / pair_speed, columns_of);
}

// One block of k by threads that share packed B: every task packs its own rows of A.
inline void split_rows(int64_t threads, int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                       const Matrix<c10::BFloat16>& b, const PairOutput& to) {
  const int64_t panels = divide_up(n, pair_columns), work = m * n * k / pair_speed;
  uint32_t* packed_b = scratch_for_panels(panels, k);
  maybe_parallel(panels, work, [&](int64_t begin, int64_t end) {
    pack_panels(begin, end, n, k, b, packed_b + begin * pair_columns * divide_up(k, 2));
  });
  const int64_t row_tiles = divide_up(m, tile_rows);
  const int64_t row_blocks =
      std::min(row_tiles, round_up(divide_up(row_tiles, block_row_tiles / 2), threads));
  // Rows in multiples of eight balance the threads better than whole tiles do.
  const int64_t rows_per_block = round_up(divide_up(m, row_blocks), 8);
  maybe_parallel(row_blocks, work, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t i = task * rows_per_block;
      if (i < m) {
        multiply_panels(std::min(rows_per_block, m - i), n, k, a.from_row(i), PairPanels{packed_b, 0, panels},
                        to.block(i, 0));
      }
    }
  });
}

inline void packed_pair_block(int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                              const Matrix<c10::BFloat16>& b, const PairOutput& to) {
  const int64_t threads = m * n * k / pair_speed < parallel_work ? 1 : at::get_num_threads();
  // Packing all of A pays if there are enough columns to multiply it with, or too few rows to share.
  const bool own_columns = n >= 3 * pair_columns * threads && m <= 4 * n;
  if (threads == 1 || own_columns || m <= tile_rows * threads) {
    split_columns(std::min(threads, divide_up(n, pair_columns)), m, n, k, a, b, to);
  } else {
    split_rows(threads, m, n, k, a, b, to);
  }
}

inline void packed_pair_product(int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                                const Matrix<c10::BFloat16>& b, const Output<c10::BFloat16, float>& out) {
  const int64_t depth = round_up(divide_up(k, divide_up(k, pair_block_k)), 2);
  for (int64_t j = 0; j < n; j += block_columns) {
    const int64_t columns = std::min(block_columns, n - j);
    // Partial sums must not be rounded to 16 bits.
    float* sums =
        depth >= k ? nullptr
                   : static_cast<float*>(gemm_scratch(GemmScratch::Accumulator, m * columns * sizeof(float)));
    for (int64_t p = 0; p < k; p += depth) {
      packed_pair_block(m, columns, std::min(depth, k - p),
                        Matrix<c10::BFloat16>{a.at(0, p), a.row_stride, a.column_stride},
                        Matrix<c10::BFloat16>{b.at(p, j), b.row_stride, b.column_stride},
                        PairOutput{out.block(0, j), sums, columns, p == 0, p + depth >= k});
    }
  }
}

// Any product of bfloat16: chooses the path.
inline void pair_product(int64_t m, int64_t n, int64_t k, const Matrix<c10::BFloat16>& a,
                         const Matrix<c10::BFloat16>& b, const Output<c10::BFloat16, float>& out) {
  if (out.column_stride != 1 && out.row_stride == 1) {
    return pair_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  const bool dots = (m <= 4 && b.row_stride == 1) || (n <= 4 && a.column_stride == 1);
  if (dots || m * n * k <= pair_least_work) {
    return product(m, n, k, a, b, out);
  }
  if (m <= 2 * tile_rows && b.column_stride == 1) {
    return direct_pair_product(m, n, k, a, b, out);
  }
  if (n <= 16 && n < m && a.row_stride == 1) {
    return direct_pair_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  if (4 * n <= pair_columns && n < m) {  // columns would mostly be padding
    return packed_pair_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  packed_pair_product(m, n, k, a, b, out);
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native

#endif
