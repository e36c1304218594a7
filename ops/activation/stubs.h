// Stubs of activation functions with parameters or several operands, and of gradients that are no plain
// functor; one implementation per device. Operands of the iterations: out, then as named.
#pragma once

#include <ATen/native/elementwise/stubs.h>

#include <string_view>

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

enum class GeluType { None, Tanh, END };
/// Of an `approximate` that the meta function has checked.
inline GeluType gelu_type(std::string_view approximate) {
  return approximate == "tanh" ? GeluType::Tanh : GeluType::None;
}
using gelu_fn = void (*)(TensorIteratorBase&, GeluType);
// self; grad_output, self.
DECLARE_DISPATCH(gelu_fn, GeluKernel)
DECLARE_DISPATCH(gelu_fn, GeluBackwardKernel)

// self.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_buffer_stub)
// self, and the buffer where there is one.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_stub)
// grad_output, self, and the buffer where the forward pass has saved one.
DECLARE_DISPATCH(structured_binary_fn, log_sigmoid_backward_stub)

// grad_output, self_or_result.
struct EluScales {
  Scalar alpha, scale, input_scale;
  bool is_result;
};
using elu_backward_fn = void (*)(TensorIteratorBase&, const EluScales&);
DECLARE_DISPATCH(elu_backward_fn, elu_backward_stub)

// self; grad_output, self.
DECLARE_DISPATCH(structured_binary_fn, hardswish_stub)
DECLARE_DISPATCH(structured_binary_fn, hardswish_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, mish_backward_stub)

// self, weight; the gradients of both: grad_output, self, weight, and grad_output, self.
DECLARE_DISPATCH(structured_binary_fn, prelu_stub)
DECLARE_DISPATCH(structured_binary_fn, prelu_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, prelu_weight_backward_stub)

// The halves of self; the second half's gradient from grad_output and both; the tangent of the result from
// it, the second half and the tangents of both.
DECLARE_DISPATCH(structured_binary_fn, glu_stub)
DECLARE_DISPATCH(structured_binary_fn, glu_gate_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, glu_jvp_stub)

}  // namespace at::native
