// Positions of the true elements of a mask: eight flags at a time become a byte, the index into a table of
// its bits' positions. No branch depends on the mask, so a random one costs no more than a constant one.
#pragma once

#include <c10/macros/Macros.h>

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Flags per call: as many as keep the positions in the first-level cache.
constexpr int64_t mask_block = 1024;
#if defined(__AVX512F__) && defined(__AVX512BW__)
using Position = uint32_t;  // what can be compressed at once
#else
using Position = uint16_t;
#endif
// Every store writes up to sixteen positions, of which the last may be invalid.
constexpr int64_t positions_capacity = mask_block + 16;

struct BitTable {
  std::array<std::array<Position, 8>, 256> positions{};
  std::array<uint8_t, 256> counts{};
};

constexpr BitTable make_bit_table() {
  BitTable table;
  for (int bits = 0; bits < 256; ++bits) {
    int count = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if (bits >> bit & 1) table.positions[bits][count++] = static_cast<Position>(bit);
    }
    table.counts[bits] = static_cast<uint8_t>(count);
  }
  return table;
}

alignas(64) constexpr BitTable bit_table = make_bit_table();

// Each of eight bytes becomes 1 where it was not 0.
inline uint64_t nonzero_bytes(uint64_t x) {
  constexpr uint64_t low_7_bits = 0x7f7f7f7f7f7f7f7full;
  return (((x & low_7_bits) + low_7_bits) | x) >> 7 & 0x0101010101010101ull;
}

// Appends the positions of the true ones among eight flags, the first of which has position `start`.
inline int64_t append_positions(uint64_t flags, int64_t start, Position* positions) {
  typedef Position Eight __attribute__((vector_size(8 * sizeof(Position))));
  // The product brings the lowest bit of byte k to bit 56 + k.
  const auto bits = static_cast<uint8_t>(nonzero_bytes(flags) * 0x0102040810204080ull >> 56);
  Eight found;
  std::memcpy(&found, bit_table.positions[bits].data(), sizeof(found));
  found += static_cast<Position>(start);
  std::memcpy(positions, &found, sizeof(found));
  return bit_table.counts[bits];
}

// The whole groups of 64 of n flags; returns the number of positions written.
inline int64_t append_64s([[maybe_unused]] const uint8_t* flags, [[maybe_unused]] int64_t n,
                          [[maybe_unused]] Position* positions) {
  int64_t count = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__)
  __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (int64_t i = 0; i + 64 <= n; i += 64) {
    const __m512i bytes = _mm512_loadu_si512(flags + i);
    uint64_t bits = _mm512_test_epi8_mask(bytes, bytes);
    for (int part = 0; part < 4; ++part, bits >>= 16) {
      const __m512i found = _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), index);
      _mm512_storeu_si512(positions + count, found);
      count += __builtin_popcount(static_cast<uint16_t>(bits));
      index = _mm512_add_epi32(index, _mm512_set1_epi32(16));
    }
  }
#endif
  return count;
}

// Writes the positions of the true ones among n <= mask_block flags and returns how many there are.
inline int64_t mask_positions(const uint8_t* flags, int64_t n, Position* positions) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  int64_t i = n / 64 * 64;
#else
  int64_t i = 0;
#endif
  int64_t count = append_64s(flags, i, positions);
  uint64_t eight = 0;
  for (; i + 8 <= n; i += 8) {
    std::memcpy(&eight, flags + i, 8);
    count += append_positions(eight, i, positions + count);
  }
  if (i < n) {
    eight = 0;
    std::memcpy(&eight, flags + i, static_cast<size_t>(n - i));
    count += append_positions(eight, i, positions + count);
  }
  return count;
}

inline int64_t count_true(const uint8_t* flags, int64_t n) {
  int64_t count = 0;
  int64_t i = 0;
  while (i + 8 <= n) {
    // Bytes can be summed without carry for 255 rounds.
    const int64_t stop = i + 255 * 8 < n ? i + 255 * 8 : n;
    uint64_t sums = 0;
    for (; i + 8 <= stop; i += 8) {
      uint64_t x;
      std::memcpy(&x, flags + i, 8);
      sums += nonzero_bytes(x);
    }
    constexpr uint64_t even_bytes = 0x00ff00ff00ff00ffull;
    const uint64_t pairs = (sums & even_bytes) + (sums >> 8 & even_bytes);
    count += static_cast<int64_t>(pairs * 0x0001000100010001ull >> 48);
  }
  for (; i < n; ++i) count += flags[i] != 0;
  return count;
}

}  // namespace
}  // namespace CPU_CAPABILITY
}  // namespace at::native
