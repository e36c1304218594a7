// Kernels of activation functions with parameters, and of gradients that are no plain functor of their
// operands; one implementation per device. Operands of the iterations: out, then as named.
#pragma once

#include <ATen/native/PointwiseOps.h>

namespace at::native {

using activation_fn = void (*)(TensorIteratorBase&, const Scalar&, const Scalar&);

// self, other; threshold, value.
DECLARE_DISPATCH(activation_fn, threshold_stub)
// grad_output, self; min_val, max_val.
DECLARE_DISPATCH(activation_fn, hardtanh_backward_stub)
// self; beta, threshold.
DECLARE_DISPATCH(activation_fn, softplus_stub)
// grad_output, self; beta, threshold.
DECLARE_DISPATCH(activation_fn, softplus_backward_stub)

// self, grad_output; negative_slope.
DECLARE_DISPATCH(structured_scalar_fn, leaky_relu_backward_stub)
// grad_output, self.
DECLARE_DISPATCH(gelu_fn, GeluBackwardKernel)

// self.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_buffer_stub)
// self, and the buffer where there is one.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_stub)
// grad_output, self, and the buffer where the forward pass has left one.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_backward_stub)

}  // namespace at::native
