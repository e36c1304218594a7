// The kernel of conjugation, one implementation per device.
#pragma once

#include <ATen/native/elementwise/stubs.h>

namespace at::native {

// Operands: out, self (complex).
DECLARE_DISPATCH(structured_binary_fn, conj_physical_stub)

}  // namespace at::native
