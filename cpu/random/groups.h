// Random words on the CPU. Elements are made in groups from 16 Philox blocks (64 words), interleaved; which
// block an element comes from depends on its index only, so the number of threads doesn't change results.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <c10/util/FunctionRef.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {

constexpr int64_t group_blocks = 16, group_words = 4 * group_blocks;

using Lanes = Vec<uint64_t>;  // 32-bit values in 64-bit lanes, whose upper halves are ignored

// The 64-bit products of the lanes' low halves.
C10_ALWAYS_INLINE Lanes multiply_low(Lanes a, uint32_t b) {
  const Lanes factor = uint64_t{b} - Lanes{};
#if defined(__AVX512F__)
  return (Lanes)_mm512_mul_epu32((__m512i)a, (__m512i)factor);
#elif defined(__AVX2__)
  return (Lanes)_mm256_mul_epu32((__m256i)a, (__m256i)factor);
#elif defined(__SSE2__)
  return (Lanes)_mm_mul_epu32((__m128i)a, (__m128i)factor);
#else
  return (a & 0xffffffffu) * factor;
#endif
}

C10_ALWAYS_INLINE void store_low(uint32_t* words, Lanes x) {
  typedef uint32_t Half __attribute__((vector_size(vector_bytes / 2)));
  const Half low = __builtin_convertvector(x, Half);
  std::memcpy(words, &low, sizeof(low));
}

// words[w * 16 + i] is word w of block first + i.
inline void philox_group(uint64_t seed, uint64_t first, uint32_t* words) {
  for (int64_t i = 0; i < group_blocks; i += lanes<uint64_t>) {
    Lanes block;
    for (int lane = 0; lane < lanes<uint64_t>; ++lane) {
      block[lane] = first + i + lane;
    }
    Lanes a = block, b = block >> 32, c = {}, d = {};
    uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const Lanes p = multiply_low(a, 0xD2511F53u), q = multiply_low(c, 0xCD9E8D57u);
      a = (q >> 32) ^ b ^ uint64_t{key0};
      b = q;
      c = (p >> 32) ^ d ^ uint64_t{key1};
      d = p;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    store_low(words + i, a);
    store_low(words + group_blocks + i, b);
    store_low(words + 2 * group_blocks + i, c);
    store_low(words + 3 * group_blocks + i, d);
  }
}

inline PhiloxState reserve_groups(const std::optional<Generator>& gen, int64_t groups) {
  auto* generator = get_generator_or_default<CPUGeneratorImpl>(gen, at::detail::getDefaultCPUGenerator());
  std::lock_guard<std::mutex> lock(generator->mutex_);
  return generator->reserve(static_cast<uint64_t>(groups * group_blocks));
}

// Called with the words of a group, the index of its first element and the number of elements wanted.
using MakeGroup = c10::function_ref<void(const uint32_t* words, int64_t first, int64_t count)>;

// Calls make for every group of `per_group` elements.
inline void for_each_group(int64_t numel, int64_t per_group, const std::optional<Generator>& gen,
                           MakeGroup make) {
  const int64_t groups = (numel + per_group - 1) / per_group;
  const PhiloxState state = reserve_groups(gen, groups);
  at::parallel_for(0, groups, 256, [&](int64_t begin, int64_t end) {
    alignas(64) uint32_t words[group_words];
    for (int64_t group = begin; group < end; ++group) {
      philox_group(state.seed, state.offset + static_cast<uint64_t>(group * group_blocks), words);
      const int64_t first = group * per_group;
      make(words, first, std::min(per_group, numel - first));
    }
  });
}

// 2^32 p, the number of words out of 2^32 that give true.
inline uint64_t true_words(double p) { return static_cast<uint64_t>(p * 0x1p32); }

}  // namespace CPU_CAPABILITY
}  // namespace at::native
