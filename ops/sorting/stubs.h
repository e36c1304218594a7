// Kernels of sort and topk, one implementation per device.
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

/// What topk's kernels share: checks, what needs no order, and the stub of self's device.
TORCH_API void topk_of_lines(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                             const Tensor& values, const Tensor& indices);

}  // namespace at::native
