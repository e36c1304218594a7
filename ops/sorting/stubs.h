// Stubs of sort, topk, selection by rank or count, unique elements and binary search, one implementation per
// device.
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

/// Sorts a contiguous vector in place, for the CPU.
using sort_values_fn = void (*)(const TensorBase& values);
DECLARE_DISPATCH(sort_values_fn, sort_values_stub)

/// Writes the first of each run of equal elements of `self` to `values`, which may be the same, the lengths
/// of the runs to `counts`, and to inverse[order[i]] (inverse[i] without `order`) the number of element i's
/// run; returns how many runs there are. All are contiguous vectors; the last three may be undefined. For the
/// CPU.
using find_runs_fn = int64_t (*)(const TensorBase& values, const TensorBase& counts,
                                 const TensorBase& inverse, const TensorBase& self, const TensorBase& order);
DECLARE_DISPATCH(find_runs_fn, find_runs_stub)

/// The lexicographic order of the rows of a contiguous matrix, for the CPU.
using order_rows_fn = void (*)(const TensorBase& order, const TensorBase& rows);
DECLARE_DISPATCH(order_rows_fn, order_rows_stub)

/// For each of values [outer, m] how many elements of the sorted lines [outer, n] or [n] are less or, with
/// `right`, not greater. All are contiguous, `result` is int32 or int64. For the CPU.
using searchsorted_fn = void (*)(const TensorBase& result, const TensorBase& lines, const TensorBase& values,
                                 bool right);
DECLARE_DISPATCH(searchsorted_fn, searchsorted_stub)

/// Shared by topk's kernels: checks, the cases without selection, and the stub of self's device.
TORCH_API void topk_of_lines(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                             const Tensor& values, const Tensor& indices);

}  // namespace at::native
