// The kernels behind operators that take or put elements by index. Each device registers its own.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>

namespace at::inline C10_ABI {
class TensorBase;
struct TensorIterator;
struct TensorIteratorBase;
}  // namespace at::inline C10_ABI

namespace at::native {

// Operands of index: out, src (restrided: stride 0 where it is indexed), then one int64 index each.
// indexed_sizes and indexed_strides (bytes) are those of src in the dimensions that are indexed. Of
// index_put: self so restrided, values, indices. Both throw IndexError for an index out of bounds; a negative
// one counts from the end.
using index_fn = void (*)(TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides);
using index_put_fn = void (*)(TensorIterator& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides,
                              bool accumulate);
// result[i..j..k] = self[i..index[i..j..k]..k] along `dim`.
using gather_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim,
                           const TensorBase& index);
// self[i..index[i..j..k]..k] = src[i..j..k] along `dim`, or +=, *=, or the larger or smaller of both. src has
// self's dtype and at least index's sizes, or is a 0-dim tensor: one value for all.
enum class ScatterType { Assign, Add, Multiply, Maximum, Minimum };
using scatter_fn = void (*)(const TensorBase& self, int64_t dim, const TensorBase& index,
                            const TensorBase& src, ScatterType type);
// Operands: self, mask (bool).
using masked_fill_fn = void (*)(TensorIterator& iter, const Scalar& value);

DECLARE_DISPATCH(index_fn, index_stub)
DECLARE_DISPATCH(index_put_fn, index_put_stub)
DECLARE_DISPATCH(gather_fn, gather_stub)
DECLARE_DISPATCH(scatter_fn, scatter_stub)
DECLARE_DISPATCH(masked_fill_fn, masked_fill_stub)
// Operands: self, self, mask (bool), in the order of the indices; source is contiguous.
using masked_scatter_fn = void (*)(TensorIterator& iter, const TensorBase& source);
DECLARE_DISPATCH(masked_scatter_fn, masked_scatter_stub)

}  // namespace at::native
