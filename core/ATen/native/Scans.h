// Kernels of running products, extrema and log-sums, and of what is chosen of a line by its rank or count.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// All tensors contiguous and of one shape; result is of self's dtype, indices are Long.
using scan_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim);
DECLARE_DISPATCH(scan_fn, cumprod_stub)
DECLARE_DISPATCH(scan_fn, logcumsumexp_stub)

// Of equal extrema the last one, and a NaN from where it comes.
using scan_extremum_fn = void (*)(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                                  int64_t dim, bool largest);
DECLARE_DISPATCH(scan_extremum_fn, cumulative_extremum_stub)

enum class LineChoice {
  Kth,        // by rank, NaN above all numbers
  Median,     // the lower one; NaN if there is any
  NanMedian,  // of what is no NaN
  Mode,       // the most frequent, the smallest of such
};

// self: outer x n x inner, contiguous; values and indices: outer x inner. `k` counts from zero.
using choose_fn = void (*)(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                           int64_t dim, LineChoice choice, int64_t k);
DECLARE_DISPATCH(choose_fn, choose_of_lines_stub)

/// A contiguous tensor's elements along `dim`: outer * inner lines of n, neighbours `inner` apart.
struct Lines {
  int64_t outer = 1, n = 1, inner = 1;

  Lines(const TensorBase& t, int64_t dim) {
    for (int64_t d = 0; d < t.dim(); ++d) (d < dim ? outer : d > dim ? inner : n) *= t.size(d);
  }
};

}  // namespace at::native
