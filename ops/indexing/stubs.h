// Stubs of the operators that read or write by index. Each device registers its own kernels.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>

namespace at::inline C10_ABI {
struct TensorIterator;
struct TensorIteratorBase;
}  // namespace at::inline C10_ABI

namespace at::native {

// Operands of index: out, src (restrided: stride 0 where it is indexed), then one int64 index each.
// indexed_sizes and indexed_strides (bytes) are those of src in the dimensions that are indexed. Of
// index_put: self so restrided, values, indices. Both throw IndexError for an index out of bounds; a negative
// one counts from the end. `op`, a literal, names the operator where a device tells of one.
using index_fn = void (*)(TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides,
                          const char* op);
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
// Operands: result, self (the same in place), mask (bool).
using masked_fill_fn = void (*)(TensorIterator& iter, const Scalar& value);

DECLARE_DISPATCH(index_fn, index_stub)
DECLARE_DISPATCH(index_put_fn, index_put_stub)
DECLARE_DISPATCH(gather_fn, gather_stub)
DECLARE_DISPATCH(scatter_fn, scatter_stub)
DECLARE_DISPATCH(masked_fill_fn, masked_fill_stub)
// Operands: self, self, mask (bool), in the order of the indices; source is contiguous.
using masked_scatter_fn = void (*)(TensorIterator& iter, const TensorBase& source);
DECLARE_DISPATCH(masked_scatter_fn, masked_scatter_stub)

// -------------------- Nonzero elements: their number decides what is allocated, so they are found first and
// written in a second step.

/// How many there are; `where` is for the kernels of the device, which say with it where they are.
struct NonzeroElements {
  int64_t count = 0;
  TensorBase where;
};

// The tensors are contiguous, and have elements that aren't zero in all but the first.
using find_nonzero_fn = NonzeroElements (*)(const TensorBase& self);
// The indices of each, one row of `result` of any strides; self has dimensions.
using write_nonzero_fn = void (*)(const NonzeroElements& found, const TensorBase& self,
                                  const TensorBase& result);
// The elements of self, one after the other, where mask has `found`.
using select_nonzero_fn = void (*)(const NonzeroElements& found, const TensorBase& self,
                                   const TensorBase& mask, const TensorBase& result);
DECLARE_DISPATCH(find_nonzero_fn, find_nonzero_stub)
DECLARE_DISPATCH(write_nonzero_fn, write_nonzero_stub)
DECLARE_DISPATCH(select_nonzero_fn, select_nonzero_stub)

}  // namespace at::native
