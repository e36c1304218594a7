// Random permutations, the same for every device: generated on the host.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <ATen/native/random/random_integers.h>

#include <cstdint>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

/// Resizes result to n elements; its dtype must represent n different values.
TORCH_API void prepare_permutation(int64_t n, Tensor& result);

/// The number of Philox blocks that random_permutation uses.
constexpr uint64_t permutation_blocks(int64_t n) { return (static_cast<uint64_t>(n) + 3) / 4; }

/// A uniform integer below `range`: by Lemire's method from one word, or from further ones where that would
/// be biased.
inline uint64_t random_place(const PhiloxState& state, uint64_t i, uint32_t word, uint64_t range) {
  const uint64_t block = state.offset + i / 4;
  if (range > uint64_t{1} << 32) {
    const PhiloxBlock wide = philox4x32(state.seed, block, (uint64_t{1} << 32) + i % 4);
    return wide_integer(uint64_t{wide[0]} << 32 | wide[1], uint64_t{wide[2]} << 32 | wide[3], range);
  }
  uint64_t product = word * range;
  if (static_cast<uint32_t>(product) < range) {
    const uint64_t uneven = ((uint64_t{1} << 32) - range) % range;
    for (uint64_t attempt = 1; static_cast<uint32_t>(product) < uneven; ++attempt) {
      product = philox4x32(state.seed, block, attempt)[static_cast<int>(i % 4)] * range;
    }
  }
  return product >> 32;
}

/// 0 ... n-1 in random order by the Fisher-Yates shuffle: each element takes a random place among those
/// before it.
inline void random_permutation(int64_t* out, int64_t n, PhiloxState state) {
  PhiloxBlock words{};
  for (int64_t i = 0; i < n; ++i) {
    const auto number = static_cast<uint64_t>(i);
    if (i % 4 == 0) words = philox4x32(state.seed, state.offset + number / 4);
    const uint64_t place = random_place(state, number, words[static_cast<int>(i % 4)], number + 1);
    out[i] = out[place];
    out[place] = i;
  }
}

}  // namespace at::native
