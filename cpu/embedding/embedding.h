// Adding a scaled row to another.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

namespace at::native {

// to[i] += from[i] * scale, for n elements of a floating dtype.
using add_row_fn = void (*)(c10::ScalarType dtype, void* to, const void* from, int64_t n, double scale);
DECLARE_DISPATCH(add_row_fn, add_row_stub)

}  // namespace at::native
