// Random permutations, the same for every device: drawn on the host.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <ATen/native/RandomIntegers.h>

#include <cstdint>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

/// Resizes result to n elements, for which its dtype must have n different values.
TORCH_API void prepare_permutation(int64_t n, Tensor& result);

/// How many Philox blocks random_permutation uses.
constexpr uint64_t permutation_blocks(int64_t n) { return (static_cast<uint64_t>(n) + 1) / 2; }

/// 0 ... n-1, shuffled as Fisher and Yates do: each number takes a random place among those before it.
inline void random_permutation(int64_t* out, int64_t n, PhiloxState state) {
  PhiloxBlock words{};
  for (int64_t i = 0; i < n; ++i) {
    const int half = static_cast<int>(i & 1) * 2;
    if (half == 0) words = philox4x32(state.seed, state.offset + static_cast<uint64_t>(i) / 2);
    const uint64_t range = static_cast<uint64_t>(i) + 1;
    const uint64_t bits = uint64_t{words[half]} << 32 | words[half + 1];
    const auto place =
        is_narrow(range) ? narrow_integer(words[half], words[half + 1], range) : wide_integer(bits, 0, range);
    out[i] = out[place];
    out[place] = i;
  }
}

}  // namespace at::native
