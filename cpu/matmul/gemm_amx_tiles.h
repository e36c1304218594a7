// The tiles of matrix products with AMX: a register holds 16 rows of 64 bytes, and one instruction multiplies
// 16 rows of 32 elements of A by 16 columns of 32 elements of B (as 16 rows of pairs), adding to 16 x 16 sums
// in float. Two by two of them make a tile of the product: 32 x 32 sums.
// Subnormal bfloat16 values are treated as zeros, as by vdpbf16ps; float16's are not.
#pragma once

#include <ATen/native/cpu/matmul/gemm_bf16.h>

#if defined(HAS_PAIR_PRODUCTS) && defined(__linux__) && __has_include(<amxbf16intrin.h>)
#define HAS_TILE_PRODUCTS 1

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <immintrin.h>

// Marks a function that uses the instructions.
#define TILE_PRODUCTS __attribute__((target("amx-tile,amx-bf16")))

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

inline constexpr int64_t amx_rows = 16;     // of a register
inline constexpr int64_t amx_step = 32;     // elements along k
inline constexpr int64_t amx_columns = 32;  // of two registers side by side
inline constexpr int64_t amx_sums = 2 * amx_rows * amx_columns;

// Configures the thread's registers while it lives. Afterwards they are released, since otherwise every
// context switch would save them.
struct TileRegisters {
  struct alignas(64) Layout {
    uint8_t palette = 1, start = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  };
  TILE_PRODUCTS C10_NOINLINE TileRegisters() {
    static constexpr Layout layout;
    _tile_loadconfig(&layout);
  }
  TILE_PRODUCTS C10_NOINLINE ~TileRegisters() { _tile_release(); }
  TileRegisters(const TileRegisters&) = delete;
  TileRegisters& operator=(const TileRegisters&) = delete;
};

// Rows of A as the kernel reads them: 32 elements of 16 rows, `row_bytes` apart, then the next 32.
struct LeftTiles {
  const void* data;
  int64_t row_bytes, tile_bytes, step_bytes;
};

// Columns of B likewise: 16 consecutive rows of pairs, the next 16 columns `next_columns` further.
struct RightTiles {
  const uint32_t* data;
  int64_t next_columns;
};

// B streams through the first-level cache, in which A stays. Registers: sums 0 to 3, A 4 and 5, B 6 and 7.
#define MULTIPLY_TILES(sum, left, right)                                                                  \
  if constexpr (std::is_same_v<T, c10::Half>) {                                                           \
    /* tdpfp16ps, which older compilers and assemblers do not know */                                     \
    asm volatile(".byte 0xC4, 0xE2, %c0, 0x5C, %c1" ::"i"(0x7B - 8 * right), "i"(0xC0 + 8 * sum + left)); \
  } else {                                                                                                \
    _tile_dpbf16ps(sum, left, right);                                                                     \
  }

// Loads the 32 x 32 sums, or zeros, into registers, and stores them.
TILE_PRODUCTS C10_ALWAYS_INLINE void load_sums(bool zeros, const float* sums) {
  constexpr int64_t stride = amx_columns * sizeof(float);
  if (zeros) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    return;
  }
  _tile_loadd(0, sums, stride);
  _tile_loadd(1, sums + 16, stride);
  _tile_loadd(2, sums + amx_sums / 2, stride);
  _tile_loadd(3, sums + amx_sums / 2 + 16, stride);
}

template <int Rows, int Columns>
TILE_PRODUCTS C10_ALWAYS_INLINE void store_sums(float* sums) {
  constexpr int64_t stride = amx_columns * sizeof(float);
  _tile_stored(0, sums, stride);
  if constexpr (Columns == 2) {
    _tile_stored(1, sums + 16, stride);
  }
  if constexpr (Rows == 2) {
    _tile_stored(2, sums + amx_sums / 2, stride);
  }
  if constexpr (Rows == 2 && Columns == 2) {
    _tile_stored(3, sums + amx_sums / 2 + 16, stride);
  }
}

// The products of Rows x Columns registers over `steps` times 32 elements of k, stored to `sums`; added to
// `from` unless they are the first ones.
template <class T, int Rows, int Columns>
TILE_PRODUCTS C10_NOINLINE void multiply_tiles(int64_t steps, const LeftTiles& a, const RightTiles& b,
                                               bool first, const float* from, float* sums) {
  const char* left = static_cast<const char*>(a.data);
  const uint32_t *right = b.data, *next = b.data + b.next_columns;
  const int64_t row_bytes = a.row_bytes, tile_bytes = a.tile_bytes, step_bytes = a.step_bytes;
  asm volatile("" ::: "memory");  // orders the stores that the registers are loaded from
  load_sums(first, from);
  for (int64_t s = 0; s < steps; ++s, left += step_bytes, right += 256, next += 256) {
    _tile_stream_loadd(6, right, 64);
    _tile_loadd(4, left, row_bytes);
    MULTIPLY_TILES(0, 4, 6)
    if constexpr (Columns == 2) {
      _tile_stream_loadd(7, next, 64);
      MULTIPLY_TILES(1, 4, 7)
    }
    if constexpr (Rows == 2) {
      _tile_loadd(5, left + tile_bytes, row_bytes);
      MULTIPLY_TILES(2, 5, 6)
    }
    if constexpr (Rows == 2 && Columns == 2) {
      MULTIPLY_TILES(3, 5, 7)
    }
  }
  store_sums<Rows, Columns>(sums);
}

#undef MULTIPLY_TILES

template <class T>
void run_tiles(int64_t rows, int64_t columns, int64_t steps, const LeftTiles& a, const RightTiles& b,
               bool first, const float* from, float* sums) {
  if (rows > amx_rows) {
    if (columns > 16) {
      return multiply_tiles<T, 2, 2>(steps, a, b, first, from, sums);
    }
    return multiply_tiles<T, 2, 1>(steps, a, b, first, from, sums);
  }
  if (columns > 16) {
    return multiply_tiles<T, 1, 2>(steps, a, b, first, from, sums);
  }
  multiply_tiles<T, 1, 1>(steps, a, b, first, from, sums);
}

// sums[j][i] = sums[i][j], 32 x 32.
inline void transpose_sums(float* sums) {
  __m512i first[16], second[16];
  const auto load_block = [](const float* from, __m512i(&r)[16]) {
    for (int i = 0; i < 16; ++i) {
      r[i] = _mm512_loadu_si512(from + i * amx_columns);
    }
    transpose_16x16(r);
  };
  const auto store_block = [](const __m512i(&r)[16], float* to) {
    for (int i = 0; i < 16; ++i) {
      _mm512_storeu_si512(to + i * amx_columns, r[i]);
    }
  };
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = i; j < 2; ++j) {
      float *upper = sums + 16 * (i * amx_columns + j), *lower = sums + 16 * (j * amx_columns + i);
      load_block(upper, first);
      load_block(lower, second);
      store_block(first, lower);
      store_block(second, upper);
    }
  }
}

template <class T>
PAIR_PRODUCTS C10_ALWAYS_INLINE __m512i round_sums(__m512 low, __m512 high) {
  if constexpr (std::is_same_v<T, c10::Half>) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT)),
                              _mm512_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT), 1);
  } else {
    return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
  }
}

template <class T>
C10_ALWAYS_INLINE __m512 widen_sixteen(__m256i bits) {
  T values[16];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), bits);
  return reinterpret_cast<__m512>(load_as<float>(values));
}

// Stores the sums, which this may change, to the output.
template <class T>
PAIR_PRODUCTS C10_NOINLINE void finish_tiles(float* sums, Output<T, float> out, int64_t rows,
                                             int64_t columns) {
  if (out.column_stride != 1 && out.row_stride == 1) {
    transpose_sums(sums);
    out = out.transposed();
    std::swap(rows, columns);
  }
  const __m512 alpha = _mm512_set1_ps(out.alpha), beta = _mm512_set1_ps(out.beta);
  const __mmask32 mask = wide_mask(columns);
  for (int64_t i = 0; i < rows; ++i, sums += amx_columns) {
    if (out.column_stride != 1) {
      for (int64_t j = 0; j < columns; ++j) {
        out.store(i, j, sums[j]);
      }
      continue;
    }
    __m512 low = _mm512_mul_ps(alpha, _mm512_loadu_ps(sums));
    // Lanes beyond the sums are zeroed: they could be subnormal, which is slow.
    __m512 high = columns > 16 ? _mm512_mul_ps(alpha, _mm512_loadu_ps(sums + 16)) : _mm512_setzero_ps();
    if (out.beta != 0) {
      const __m512i old = _mm512_maskz_loadu_epi16(mask, out.at(i, 0));
      low = _mm512_fmadd_ps(beta, widen_sixteen<T>(_mm512_castsi512_si256(old)), low);
      high = _mm512_fmadd_ps(beta, widen_sixteen<T>(_mm512_extracti64x4_epi64(old, 1)), high);
    }
    _mm512_mask_storeu_epi16(out.at(i, 0), mask, round_sums<T>(low, high));
  }
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native

#endif
