// Whether indices are within a dimension, all of them at once: so that the loop that uses them is free of
// branches. For files of cpu/simd.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

// Lines longer than this are checked and used in pieces that stay in the cache between the two.
inline constexpr int64_t index_piece = 1024;

template <class Index>
bool all_in_bounds(const Index* index, int64_t stride, int64_t n, int64_t size) {
  const auto limit = static_cast<uint64_t>(size);
  bool bad = false;
  if (stride == 1) {
    for (int64_t i = 0; i < n; ++i) bad |= static_cast<uint64_t>(static_cast<int64_t>(index[i])) >= limit;
  } else {
    for (int64_t i = 0; i < n; ++i)
      bad |= static_cast<uint64_t>(static_cast<int64_t>(index[i * stride])) >= limit;
  }
  return !bad;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
