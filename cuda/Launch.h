// Sizes of launches.
#pragma once

#include <algorithm>
#include <cstdint>

namespace at::native {

constexpr int launch_threads = 256;
// More blocks than this fill every device; kernels that may have more work stride over the rest.
constexpr int64_t max_strided_blocks = int64_t{1} << 20;

inline unsigned blocks_for(int64_t n, int64_t per_block = launch_threads) {
  return static_cast<unsigned>(std::min((n + per_block - 1) / per_block, max_strided_blocks));
}

}  // namespace at::native
