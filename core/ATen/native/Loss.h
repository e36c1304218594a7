// Kernels of losses, one implementation per device.
#pragma once

#include <ATen/native/PointwiseOps.h>

namespace at::native {

// Operands: out, self, target.
DECLARE_DISPATCH(structured_binary_fn, mse_stub)
// Operands: grad_input, self, target, grad_output.
DECLARE_DISPATCH(structured_scalar_fn, mse_backward_stub)

}  // namespace at::native
