// Kernels over contiguous memory that need no iterator: arange and equal.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// out[i] = start + i * step for i in [0, n), computed in double for floating dtypes (float for half
// precision) and modulo 2^64 for integers. `first` shifts i, so that threads can share the work.
using arange_fn = void (*)(void* out, ScalarType dtype, int64_t first, int64_t n, const Scalar& start,
                           const Scalar& step);
// Whether all n elements compare equal: NaN equals nothing, -0 equals 0.
using equal_fn = bool (*)(const void* a, const void* b, ScalarType dtype, int64_t n);

DECLARE_DISPATCH(arange_fn, arange_stub)
DECLARE_DISPATCH(equal_fn, equal_stub)

}  // namespace at::native
