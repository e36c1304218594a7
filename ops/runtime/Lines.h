// The decomposition of a contiguous tensor along one dimension.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// A contiguous tensor as [outer, n, inner], n being `dim`: outer * inner lines of n elements, `inner` apart.
struct Lines {
  int64_t outer = 1, n = 1, inner = 1;

  Lines(const TensorBase& t, int64_t dim) {
    for (int64_t d = 0; d < t.dim(); ++d) (d < dim ? outer : d > dim ? inner : n) *= t.size(d);
  }
};

}  // namespace at::native
