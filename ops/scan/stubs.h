// Stubs of cumsum, cumprod, cummax, cummin and logcumsumexp, one implementation per device.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// result and self have the same shape and dtype; dim is not negative.
using scan_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim);
DECLARE_DISPATCH(scan_fn, cumsum_stub)

// All tensors contiguous and of one shape; result is of self's dtype, indices are Long.
DECLARE_DISPATCH(scan_fn, cumprod_stub)
DECLARE_DISPATCH(scan_fn, logcumsumexp_stub)

// Of equal extrema the last one; a NaN from its position on.
using cummax_fn = void (*)(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                           int64_t dim, bool largest);
DECLARE_DISPATCH(cummax_fn, cummax_stub)

}  // namespace at::native
