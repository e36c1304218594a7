// Kernels of elementwise operators whose arguments are more than operands and numbers of their dtype; one
// implementation per device. Operands of the iterations: out, then as named.
#pragma once

#include <ATen/native/PointwiseOps.h>

#include <optional>

namespace at::native {

// self; the number of decimals.
using round_decimals_fn = void (*)(TensorIteratorBase&, int64_t);
DECLARE_DISPATCH(round_decimals_fn, round_decimals_stub)

// self, other.
DECLARE_DISPATCH(structured_binary_fn, nextafter_stub)
// self; complex with a real out, or floating.
DECLARE_DISPATCH(structured_binary_fn, angle_stub)

// self; how often digamma is differentiated, at least once.
using polygamma_fn = void (*)(TensorIteratorBase&, int64_t);
DECLARE_DISPATCH(polygamma_fn, polygamma_stub)

// self; what NaN and the infinities become.
struct Replacements {
  std::optional<double> nan, positive_infinity, negative_infinity;
};
using nan_to_num_fn = void (*)(TensorIteratorBase&, const Replacements&);
DECLARE_DISPATCH(nan_to_num_fn, nan_to_num_stub)

// self; grad_output, self. Without `eps` nothing is brought into [eps, 1 - eps].
using logit_fn = void (*)(TensorIteratorBase&, std::optional<double> eps);
DECLARE_DISPATCH(logit_fn, logit_stub)
DECLARE_DISPATCH(logit_fn, logit_backward_stub)

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

// The halves of self; the second half's gradient from grad_output and both; the change of the result from it,
// the second half and the changes of both.
DECLARE_DISPATCH(structured_binary_fn, glu_stub)
DECLARE_DISPATCH(structured_binary_fn, glu_gate_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, glu_jvp_stub)

}  // namespace at::native
