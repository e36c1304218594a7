// The kernel of dropout's gradient, one implementation per device.
#pragma once

#include <ATen/native/PointwiseOps.h>

namespace at::native {

// Operands: grad_input, grad_output, mask (bool); the number that kept elements are multiplied by.
DECLARE_DISPATCH(structured_scalar_fn, dropout_backward_stub)

}  // namespace at::native
