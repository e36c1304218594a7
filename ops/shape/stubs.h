// The stub of tril and triu, one implementation per device.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// Both contiguous, of one dtype and shape; they may be the same. Elements below the diagonal (upper) or above
// it (not upper) are set to zero, the rest copied.
using triangle_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t diagonal, bool upper);
DECLARE_DISPATCH(triangle_fn, triangle_stub)

}  // namespace at::native
