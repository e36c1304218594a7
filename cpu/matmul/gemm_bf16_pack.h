// Packing for matrix products of bfloat16 by pairs (gemm_bf16.h), with AVX-512.
#pragma once

#if defined(__x86_64__) && defined(__AVX512BW__) && defined(__AVX512VL__)

#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/BFloat16.h>

#include <immintrin.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

inline constexpr int64_t pair_columns = 32;
// The number of multiply-adds that is worth a thread is float's: they take a quarter of the time or less, but
// the packing of B synchronises all threads.
inline constexpr int64_t pair_speed = 8;
// Multiply-adds below which the tiles do not pay.
inline constexpr int64_t pair_least_work = 64;

inline int pair_height(int64_t rows) {
  return rows > 8 ? tile_rows : rows > 4 ? 8 : rows > 2 ? 4 : rows > 1 ? 2 : 1;
}

// The rows of the next tile, of `left` that remain: two or three tiles of 8 are faster than one of 14 and the
// rest.
inline int64_t next_pair_rows(int64_t left) {
  return left == 15 || left == 16 || left == 23 || left == 24 ? 8 : std::min<int64_t>(left, tile_rows);
}

// A mask of the first `count` of 32.
C10_ALWAYS_INLINE __mmask32 wide_mask(int64_t count) {
  return count >= 32 ? ~__mmask32(0) : count <= 0 ? 0 : (__mmask32(1) << count) - 1;
}

// Interleaves even[i] and odd[i]: the first 16 pairs and the last 16.
C10_ALWAYS_INLINE void interleave(__m512i even, __m512i odd, __m512i& low, __m512i& high) {
  typedef short Words __attribute__((vector_size(64)));
  const Words first = {0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
                       8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
  low = _mm512_permutex2var_epi16(even, reinterpret_cast<__m512i>(first), odd);
  high = _mm512_permutex2var_epi16(even, reinterpret_cast<__m512i>(first + 16), odd);
}

// Transposes 16 rows of 16 32-bit elements.
C10_ALWAYS_INLINE void transpose_16x16(__m512i (&r)[16]) {
  __m512i t[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {  // r[i + c]: columns c, c + 4, c + 8, c + 12 of rows i..i + 3
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const __m512i low_even = _mm512_shuffle_i32x4(r[c], r[c + 4], 0x88);
    const __m512i low_odd = _mm512_shuffle_i32x4(r[c], r[c + 4], 0xDD);
    const __m512i high_even = _mm512_shuffle_i32x4(r[c + 8], r[c + 12], 0x88);
    const __m512i high_odd = _mm512_shuffle_i32x4(r[c + 8], r[c + 12], 0xDD);
    t[c] = _mm512_shuffle_i32x4(low_even, high_even, 0x88);
    t[c + 4] = _mm512_shuffle_i32x4(low_odd, high_odd, 0x88);
    t[c + 8] = _mm512_shuffle_i32x4(low_even, high_even, 0xDD);
    t[c + 12] = _mm512_shuffle_i32x4(low_odd, high_odd, 0xDD);
  }
  std::memcpy(&r, &t, sizeof(r));
}

// Packs at most 16 lines: pairs that are contiguous in the lines. Missing lines and elements are zeros.
inline void pack_pairs_along(const Matrix<c10::BFloat16>& from, int64_t width, int64_t k, int64_t padded,
                             __mmask16 stored, uint32_t* to) {
  for (int64_t p = 0; p < k; p += 32) {
    const __mmask32 mask = wide_mask(k - p);
    __m512i row[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      row[i] = i < width ? _mm512_maskz_loadu_epi16(mask, from.at(i, p)) : _mm512_setzero_si512();
    }
    transpose_16x16(row);
    const int64_t pairs = std::min<int64_t>(16, (k - p + 1) / 2);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if (i < pairs) {
        _mm512_mask_storeu_epi32(to + (p / 2 + i) * padded, stored, row[i]);
      }
    }
  }
}

// The same for lines side by side: row_stride is 1.
inline void pack_pairs_across(const Matrix<c10::BFloat16>& from, int64_t width, int64_t k, int64_t padded,
                              __mmask16 stored, uint32_t* to) {
  const __mmask16 mask = static_cast<__mmask16>(wide_mask(width));
  for (int64_t p = 0; p < k; p += 2, to += padded) {
    __m512i pair = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, from.at(0, p)));
    if (p + 1 < k) {
      const __m512i odd = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, from.at(0, p + 1)));
      pair = _mm512_or_si512(pair, _mm512_slli_epi32(odd, 16));
    }
    _mm512_mask_storeu_epi32(to, stored, pair);
  }
}

inline void pack_pairs_strided(const Matrix<c10::BFloat16>& from, int64_t width, int64_t k, int64_t padded,
                               int64_t stored, uint32_t* to) {
  for (int64_t i = 0; i < stored; ++i) {
    for (int64_t p = 0; p < k; p += 2) {
      const uint32_t even = i < width ? from.at(i, p)->x : 0;
      const uint32_t odd = i < width && p + 1 < k ? from.at(i, p + 1)->x : 0;
      to[p / 2 * padded + i] = even | odd << 16;
    }
  }
}

// 32 lines side by side (row_stride is 1) into 32 columns of pairs.
inline void pack_pairs_wide(const Matrix<c10::BFloat16>& from, int64_t width, int64_t k, uint32_t* to) {
  const __mmask32 mask = wide_mask(width);
  for (int64_t p = 0; p < k; p += 2, to += pair_columns) {
    const __m512i even = _mm512_maskz_loadu_epi16(mask, from.at(0, p));
    const __m512i odd =
        p + 1 < k ? _mm512_maskz_loadu_epi16(mask, from.at(0, p + 1)) : _mm512_setzero_si512();
    __m512i low, high;
    interleave(even, odd, low, high);
    _mm512_storeu_si512(to, low);
    _mm512_storeu_si512(to + 16, high);
  }
}

// Packs `width` interleaved lines of k elements: pair p of line i goes to to[p * padded + i].
inline void pack_pair_panel(const Matrix<c10::BFloat16>& from, int64_t width, int64_t k, int64_t padded,
                            uint32_t* to) {
  if (from.row_stride == 1 && padded == pair_columns) {
    return pack_pairs_wide(from, width, k, to);
  }
  for (int64_t i = 0; i < padded; i += 16) {
    const int64_t lines = std::clamp<int64_t>(width - i, 0, 16), stored = std::min<int64_t>(16, padded - i);
    const Matrix<c10::BFloat16> part = lines > 0 ? from.from_row(i) : from;
    const __mmask16 mask = static_cast<__mmask16>(wide_mask(stored));
    if (from.column_stride == 1) {
      pack_pairs_along(part, lines, k, padded, mask, to + i);
    } else if (from.row_stride == 1) {
      pack_pairs_across(part, lines, k, padded, mask, to + i);
    } else {
      pack_pairs_strided(part, lines, k, padded, stored, to + i);
    }
  }
}

// Packs lines into panels of `pairs` along k, as high as the tiles that read them: pair_height(rows) for A,
// 32 columns for B. Interleaved lines are read a few elements at a time, as neighbouring panels share pages.
template <class NextHeight, class Padded>
void pack_pair_panels(const Matrix<c10::BFloat16>& from, int64_t count, int64_t k, int64_t pairs,
                      uint32_t* to, const NextHeight& next_height, const Padded& padded) {
  const int64_t step = from.row_stride == 1 ? 64 : k;
  for (int64_t p = 0; p < k; p += step) {
    for (int64_t i = 0, height = 0; i < count; i += height) {
      height = next_height(count - i);
      const int64_t unit = padded(height);
      pack_pair_panel(Matrix<c10::BFloat16>{from.at(i, p), from.row_stride, from.column_stride}, height,
                      std::min(step, k - p), unit, to + i * pairs + p / 2 * unit);
    }
  }
}

inline void pack_pair_rows(const Matrix<c10::BFloat16>& a, int64_t rows, int64_t k, uint32_t* to) {
  pack_pair_panels(a, rows, k, divide_up(k, 2), to, next_pair_rows, pair_height);
}

// The columns of B are the rows of `from`.
inline void pack_pair_columns(const Matrix<c10::BFloat16>& from, int64_t columns, int64_t k, uint32_t* to) {
  pack_pair_panels(
      from, columns, k, divide_up(k, 2), to, [](int64_t left) { return std::min(pair_columns, left); },
      [](int64_t) { return pair_columns; });
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native

#endif
