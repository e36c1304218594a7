// Stubs of sort, topk and of selection by rank or count, one implementation per device.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

/// Sorts every line of self along dim; NaN counts as larger than any number. values and indices have self's
/// shape.
using sort_fn = void (*)(const TensorBase& self, const TensorBase& values, const TensorBase& indices,
                         int64_t dim, bool descending, bool stable);
DECLARE_DISPATCH(sort_fn, sort_stub)

/// The k largest (or smallest) of every line of self along dim, the best first if `sorted`.
using topk_fn = void (*)(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                         int64_t k, int64_t dim, bool largest, bool sorted);
DECLARE_DISPATCH(topk_fn, topk_stub)

enum class LineChoice {
  Kth,        // by rank, NaN above all numbers
  Median,     // the lower median; NaN if there is any
  NanMedian,  // the median of all but NaNs
  Mode,       // the most frequent, the smallest of such
};

// self: [outer, n, inner], contiguous; values and indices: [outer, inner]. `k` counts from zero.
using choose_fn = void (*)(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                           int64_t dim, LineChoice choice, int64_t k);
DECLARE_DISPATCH(choose_fn, choose_of_lines_stub)

/// Shared by topk's kernels: checks, the cases without selection, and the stub of self's device.
TORCH_API void topk_of_lines(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                             const Tensor& values, const Tensor& indices);

}  // namespace at::native
