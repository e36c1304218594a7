// Kernels of nonzero and masked_select, whose results are as long as a mask has true elements. They work on a
// piece of contiguous input, so that threads can each process one once the counts are known.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace at::native {

// Number of elements in [begin, end) that are not zero.
using count_nonzero_fn = int64_t (*)(const void* data, ScalarType dtype, int64_t begin, int64_t end);
// Writes the indices of those elements, one row each, to out[row * row_stride + dim * column_stride]. `sizes`
// is the shape of the whole input, without zeros.
using nonzero_fn = void (*)(const void* data, ScalarType dtype, int64_t begin, int64_t end, IntArrayRef sizes,
                            int64_t* out, int64_t row_stride, int64_t column_stride);
// Copies the elements of [begin, end) whose mask is true to out, one after the other.
using masked_select_fn = void (*)(const void* data, const bool* mask, int64_t itemsize, int64_t begin,
                                  int64_t end, void* out);

DECLARE_DISPATCH(count_nonzero_fn, count_nonzero_stub)
DECLARE_DISPATCH(nonzero_fn, nonzero_stub)
DECLARE_DISPATCH(masked_select_fn, masked_select_stub)

}  // namespace at::native
