// The stub of dropout's gradient, one implementation per device.
#pragma once

#include <ATen/native/elementwise/stubs.h>

namespace at::native {

// Operands: grad_input, grad_output, mask (bool); the factor of kept elements.
DECLARE_DISPATCH(structured_scalar_fn, dropout_backward_stub)

}  // namespace at::native
