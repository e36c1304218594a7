// The arguments of flip, shared by all its kernels.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/Exception.h>

#include <bitset>

namespace at::native {

/// The dimensions of `dims`, without those that have at most one element.
inline std::bitset<64> flipped_dims(const TensorBase& self, IntArrayRef dims) {
  TORCH_CHECK(self.dim() <= 64, "only tensors with up to 64 dims are supported");
  std::bitset<64> seen, flips;
  for (const int64_t given : dims) {
    const int64_t dim = c10::maybe_wrap_dim(given, self.dim());
    TORCH_CHECK(!seen[dim], "dim ", dim, " appears multiple times in the list of dims");
    seen[dim] = true;
    flips[dim] = self.dim() > 0 && self.sizes()[dim] > 1;
  }
  return flips;
}

}  // namespace at::native
