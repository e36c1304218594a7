// Stubs of losses, one implementation per device.
#pragma once

#include <ATen/native/elementwise/stubs.h>

namespace at::native {

// Operands: out, self, target.
DECLARE_DISPATCH(structured_binary_fn, mse_stub)
// Operands: grad_input, self, target, grad_output.
DECLARE_DISPATCH(structured_scalar_fn, mse_backward_stub)

// A parabola `below * d^2` of the difference up to `limit`, a line of slope `above` beyond.
struct SmoothLossShape {
  double limit, below, above;
};
using smooth_loss_fn = void (*)(TensorIteratorBase&, const SmoothLossShape&);
// Operands as for mse; in the backward pass `below` is the second derivative of the parabola.
DECLARE_DISPATCH(smooth_loss_fn, smooth_loss_stub)
DECLARE_DISPATCH(smooth_loss_fn, smooth_loss_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, binary_cross_entropy_stub)
DECLARE_DISPATCH(structured_binary_fn, binary_cross_entropy_backward_stub)

}  // namespace at::native
