// Shape functions of activation functions and their gradients, and of the operators with three operands.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/addcdiv_meta.h>
#include <ATen/ops/addcmul_meta.h>
#include <ATen/ops/gelu_backward_meta.h>
#include <ATen/ops/leaky_relu_backward_meta.h>
#include <ATen/ops/leaky_relu_meta.h>
#include <ATen/ops/lerp_meta.h>
#include <ATen/ops/sgn_meta.h>
#include <ATen/ops/sigmoid_backward_meta.h>
#include <ATen/ops/sign_meta.h>
#include <ATen/ops/silu_backward_meta.h>
#include <ATen/ops/silu_meta.h>
#include <ATen/ops/softplus_backward_meta.h>
#include <ATen/ops/softplus_meta.h>
#include <ATen/ops/tanh_backward_meta.h>
#include <ATen/ops/threshold_backward_meta.h>
#include <ATen/ops/threshold_meta.h>

namespace at::meta {

// -------------------- activation functions

TORCH_META_FUNC(sign)(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(),
                              "Unlike NumPy, torch.sign is not intended to support complex numbers. Please "
                              "use torch.sgn instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(sgn)(const Tensor& self) { build_borrowing_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(silu)(const Tensor& self) { build_borrowing_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(softplus)(const Tensor& self, const Scalar&, const Scalar&) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(leaky_relu)(const Tensor& self, const Scalar&) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

namespace {

// Elements of `chosen` where those of `self` are above the threshold. Writing over either is harmless.
TensorIteratorConfig threshold_config(const Tensor& out, const Tensor& self, const Tensor& chosen) {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .add_borrowed_output(out)
      .add_borrowed_const_input(self)
      .add_borrowed_const_input(chosen);
  return config;
}

}  // namespace

TORCH_META_FUNC(threshold)(const Tensor& self, const Scalar&, const Scalar&) {
  auto config = threshold_config(maybe_get_output(), self, self);
  build(config);
}

// -------------------- their gradients

TORCH_META_FUNC(threshold_backward)(const Tensor& grad_output, const Tensor& self, const Scalar&) {
  // A result of its own overlaps nothing.
  if (C10_LIKELY(!maybe_get_output().defined())) {
    build_borrowing_binary_op(maybe_get_output(), self, grad_output);
    return;
  }
  auto config = threshold_config(maybe_get_output(), self, grad_output);
  build(config);
}

TORCH_META_FUNC(sigmoid_backward)(const Tensor& grad_output, const Tensor& output) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, output);
}

TORCH_META_FUNC(tanh_backward)(const Tensor& grad_output, const Tensor& output) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, output);
}

TORCH_META_FUNC(silu_backward)(const Tensor& grad_output, const Tensor& self) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

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

// -------------------- three operands

TORCH_META_FUNC(addcmul)
(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar&) {
  build_ternary_op(maybe_get_output(), self, tensor1, tensor2);
}

TORCH_META_FUNC(addcdiv)
(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar&) {
  TORCH_CHECK(!isIntegralType(tensor1.scalar_type(), /*includeBool=*/true) ||
                  !isIntegralType(tensor2.scalar_type(), /*includeBool=*/true),
              "addcdiv doesn't divide integers by integers: write self + value * (tensor1 / tensor2) for the "
              "true quotient, or use div with a rounding_mode.");
  build_ternary_op(maybe_get_output(), self, tensor1, tensor2);
}

namespace {

void check_lerp(const Tensor& self, const Tensor& other, const char* name) {
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), "expected dtype ", self.scalar_type(), " for `",
              name, "` but got dtype ", other.scalar_type());
}

}  // namespace

TORCH_META_FUNC2(lerp, Tensor)(const Tensor& self, const Tensor& end, const Tensor& weight) {
  check_lerp(self, end, "end");
  // A weight without dimensions is taken as a number.
  const bool is_number = weight.dim() == 0;
  if (!is_number) check_lerp(self, weight, "weight");
  TensorIteratorConfig config;
  config.allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(is_number)
      .enforce_safe_casting_to_output(is_number)
      .cast_common_dtype_to_outputs(is_number)
      .add_borrowed_output(maybe_get_output())
      .add_borrowed_const_input(self)
      .add_borrowed_const_input(end)
      .add_borrowed_const_input(weight);
  build(config);
}

TORCH_META_FUNC2(lerp, Scalar)(const Tensor& self, const Tensor& end, const Scalar&) {
  check_lerp(self, end, "end");
  build_borrowing_binary_op(maybe_get_output(), self, end);
}

}  // namespace at::meta
