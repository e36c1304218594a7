// Meta functions of the gradients of activation functions.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/elu_backward_meta.h>
#include <ATen/ops/gelu_backward_meta.h>
#include <ATen/ops/leaky_relu_backward_meta.h>
#include <ATen/ops/softplus_backward_meta.h>

namespace at::meta {

TORCH_META_FUNC(gelu_backward)
(const Tensor& grad_output, const Tensor& self, c10::string_view approximate) {
  TORCH_CHECK(approximate == "none" || approximate == "tanh",
              "approximate argument must be either none or tanh.");
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(softplus_backward)
(const Tensor& grad_output, const Tensor& self, const Scalar&, const Scalar&) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(leaky_relu_backward)
(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope, bool self_is_result) {
  TORCH_CHECK(!self_is_result || negative_slope.toDouble() >= 0,
              "leaky_relu_backward of the result needs a slope that is not negative, got ",
              negative_slope.toDouble(),
              ": the sign of the result doesn't tell that of the argument then. "
              "Use the function that is not in-place.");
  build_borrowing_binary_op(maybe_get_output(), self, grad_output);
}

TORCH_META_FUNC(elu_backward)
(const Tensor& grad_output, const Scalar& alpha, const Scalar&, const Scalar&, bool is_result,
 const Tensor& self_or_result) {
  TORCH_CHECK(
      !is_result || alpha.toDouble() >= 0.0,
      "In-place elu backward calculation is triggered with a negative slope which is not supported: the "
      "result does not tell what it was made of. Call the forward function out of place.");
  build_borrowing_binary_op(maybe_get_output(), grad_output, self_or_result);
}

}  // namespace at::meta
