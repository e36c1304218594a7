// The stub of linspace, for the CPU; other devices compose operators.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// out[i] of linspace(start, end, steps) for i in [first, first + n), with `out` at the first of them; there
// are at least two steps.
using linspace_fn = void (*)(void* out, ScalarType dtype, int64_t first, int64_t n, int64_t steps,
                             const Scalar& start, const Scalar& end);
DECLARE_DISPATCH(linspace_fn, linspace_stub)

}  // namespace at::native
