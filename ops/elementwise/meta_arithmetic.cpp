// Meta functions of elementwise operators: broadcasting and type promotion by TensorIterator, and the
// argument checks that hold on every device.
#include <ATen/TensorIterator.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs_meta.h>
#include <ATen/ops/add_meta.h>
#include <ATen/ops/clamp_meta.h>
#include <ATen/ops/cos_meta.h>
#include <ATen/ops/div_meta.h>
#include <ATen/ops/exp_meta.h>
#include <ATen/ops/log_meta.h>
#include <ATen/ops/maximum_meta.h>
#include <ATen/ops/minimum_meta.h>
#include <ATen/ops/neg_meta.h>
#include <ATen/ops/pow_meta.h>
#include <ATen/ops/reciprocal_meta.h>
#include <ATen/ops/rsqrt_meta.h>
#include <ATen/ops/sigmoid_meta.h>
#include <ATen/ops/sin_meta.h>
#include <ATen/ops/sqrt_meta.h>
#include <ATen/ops/sub_meta.h>
#include <ATen/ops/tanh_meta.h>
#include <ATen/ops/to.h>

namespace at::meta {

// -------------------- arithmetic

namespace {

void check_alpha(ScalarType dtype, const Scalar& alpha) {
  if (C10_LIKELY(alpha.isIntegral(/*includeBool=*/false))) {
    return;
  }
  TORCH_CHECK(!alpha.isBoolean() || dtype == kBool, "Boolean alpha only supported for Boolean results.");
  TORCH_CHECK(isFloatingType(dtype) || isComplexType(dtype) || alpha.isIntegral(/*includeBool=*/true),
              "For integral input tensors, argument alpha must not be a floating point number.");
  TORCH_CHECK(isComplexType(dtype) || !alpha.isComplex(),
              "For non-complex input tensors, argument alpha must not be a complex number.");
}

void check_subtraction(const Tensor& self, const Tensor& other) {
  const bool self_bool = self.scalar_type() == kBool;
  const bool other_bool = other.scalar_type() == kBool;
  TORCH_CHECK(!self_bool || !other_bool,
              "Subtraction, the `-` operator, with two bool tensors is not supported. "
              "Use the `^` or `logical_xor()` operator instead.");
  TORCH_CHECK(!self_bool && !other_bool,
              "Subtraction, the `-` operator, with a bool tensor is not supported. "
              "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}

}  // namespace

TORCH_META_FUNC2(add, Tensor)(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
  check_alpha(dtype(), alpha);
}

TORCH_META_FUNC2(sub, Tensor)(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  check_subtraction(self, other);
  build_borrowing_binary_op(maybe_get_output(), self, other);
  check_alpha(dtype(), alpha);
}

TORCH_META_FUNC2(div, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC2(div, Tensor_mode)
(const Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode) {
  if (!rounding_mode.has_value()) {
    build_borrowing_binary_float_op(maybe_get_output(), self, other);
    return;
  }
  TORCH_CHECK(*rounding_mode == "trunc" || *rounding_mode == "floor",
              "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *rounding_mode,
              "'");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(maximum)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(), "maximum not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(minimum)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(), "minimum not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

// -------------------- one operand

TORCH_META_FUNC(neg)(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool,
              "Negation, the `-` operator, on a bool tensor is not supported. "
              "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

// The absolute value of a complex tensor is real.
TORCH_META_FUNC(abs)(const Tensor& self) {
  if (!self.is_complex()) {
    build_borrowing_unary_op(maybe_get_output(), self);
    return;
  }
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!out.defined() || !out.is_same(self),
              "In-place abs is not supported for complex tensors: the result is real.");
  const ScalarType real = c10::toRealValueType(self.scalar_type());
  TORCH_CHECK(!out.defined() || canCast(real, out.scalar_type()), "result type ", real,
              " can't be cast to the desired output type ", out.scalar_type());
  TensorIteratorConfig config;
  config.check_all_same_dtype(false).cast_to_outputs_from(real);
  config.add_borrowed_output(out).add_borrowed_const_input(self);
  build(config);
}

#define UNARY_FLOAT_META_FUNC(name) \
  TORCH_META_FUNC(name)(const Tensor& self) { build_borrowing_unary_float_op(maybe_get_output(), self); }

UNARY_FLOAT_META_FUNC(cos)
UNARY_FLOAT_META_FUNC(exp)
UNARY_FLOAT_META_FUNC(log)
UNARY_FLOAT_META_FUNC(reciprocal)
UNARY_FLOAT_META_FUNC(rsqrt)
UNARY_FLOAT_META_FUNC(sigmoid)
UNARY_FLOAT_META_FUNC(sin)
UNARY_FLOAT_META_FUNC(sqrt)
UNARY_FLOAT_META_FUNC(tanh)

#undef UNARY_FLOAT_META_FUNC

// -------------------- pow

TORCH_META_FUNC2(pow, Tensor_Tensor)(const Tensor& base, const Tensor& exponent) {
  build_borrowing_binary_op(maybe_get_output(), base, exponent);
}

TORCH_META_FUNC2(pow, Tensor_Scalar)(const Tensor& base, const Scalar& exponent) {
  TORCH_CHECK(!isIntegralType(base.scalar_type(), /*includeBool=*/true) ||
                  !exponent.isIntegral(/*includeBool=*/true) || exponent.toLong() >= 0,
              "Integers to negative integer powers are not allowed.");
  const Tensor& out = maybe_get_output();
  const ScalarType dtype = native::promoted_type(base, exponent);
  if (out.defined() && out.scalar_type() != dtype) {
    build(TensorIteratorConfig()
              .promote_inputs_to_common_dtype(true)
              .cast_common_dtype_to_outputs(true)
              .enforce_safe_casting_to_output(true)
              .add_output(out)
              .add_owned_const_input(base.to(dtype)));
  } else if (dtype == base.scalar_type()) {
    build_borrowing_unary_op(out, base);
  } else {
    build_output_borrowing_argument_owning_unary_op(out, base.to(dtype));
  }
}

TORCH_META_FUNC2(pow, Scalar)(const Scalar& base, const Tensor& exponent) {
  const Tensor& out = maybe_get_output();
  const ScalarType dtype = out.defined() ? out.scalar_type() : native::promoted_type(exponent, base);
  set_output_raw_strided(0, exponent.sizes(), {}, exponent.options().dtype(dtype));
}

// -------------------- clamp

TORCH_META_FUNC(clamp)(const Tensor& self, OptionalScalarRef min, OptionalScalarRef max) {
  TORCH_CHECK(min.has_value() || max.has_value(),
              "torch.clamp: At least one of 'min' or 'max' must not be None");
  native::ResultTypeState state = native::update_result_type_state(self, {});
  // Bounds of a higher category promote integers; a floating tensor keeps its dtype, and numbers above
  // int64_t, which promote with few dtypes, may bound it.
  for (const OptionalScalarRef& bound : {min, max}) {
    const bool keeps = self.is_floating_point() && bound.has_value() && !bound->isComplex();
    if (bound.has_value() && !keeps) state = native::update_result_type_state(*bound, state);
  }
  const ScalarType dtype = native::result_type(state);
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(dtype), "clamp is not supported for complex types");
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(dtype == self.scalar_type() || !out.defined() || !out.is_same(self), "result type ", dtype,
              " can't be cast to the desired output type ", self.scalar_type());
  if (dtype == self.scalar_type()) {
    build_borrowing_unary_op(out, self);
  } else {
    build_output_borrowing_argument_owning_unary_op(out, self.to(dtype));
  }
}

TORCH_META_FUNC2(clamp, Tensor)(const Tensor& self, OptionalTensorRef min, OptionalTensorRef max) {
  TORCH_CHECK(min.has_value() || max.has_value(),
              "torch.clamp: At least one of 'min' or 'max' must not be None");
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex() && !(min.has_value() && min->is_complex()) &&
                                  !(max.has_value() && max->is_complex()),
                              "clamp is not supported for complex types");
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
  config.add_borrowed_output(maybe_get_output()).add_borrowed_const_input(self);
  if (min.has_value()) {
    config.add_borrowed_const_input(*min);
  }
  if (max.has_value()) {
    config.add_borrowed_const_input(*max);
  }
  build(config);
}

}  // namespace at::meta
