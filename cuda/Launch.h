// Launch dimensions.
#pragma once

#include <c10/macros/Macros.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

constexpr int launch_threads = 256;
// This many blocks fill every device; kernels with more work use grid-stride loops.
constexpr int64_t max_strided_blocks = int64_t{1} << 20;

inline unsigned blocks_for(int64_t n, int64_t per_block = launch_threads) {
  return static_cast<unsigned>(std::min((n + per_block - 1) / per_block, max_strided_blocks));
}

}  // namespace at::native
