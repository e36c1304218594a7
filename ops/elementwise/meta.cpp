// Shape functions of elementwise functions beside arithmetic, of further activation functions and of their
// gradients.
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/acos_meta.h>
#include <ATen/ops/acosh_meta.h>
#include <ATen/ops/asin_meta.h>
#include <ATen/ops/asinh_meta.h>
#include <ATen/ops/atan2_meta.h>
#include <ATen/ops/atan_meta.h>
#include <ATen/ops/atanh_meta.h>
#include <ATen/ops/bitwise_left_shift_meta.h>
#include <ATen/ops/bitwise_right_shift_meta.h>
#include <ATen/ops/ceil_meta.h>
#include <ATen/ops/clamp_max_meta.h>
#include <ATen/ops/clamp_min_meta.h>
#include <ATen/ops/copysign_meta.h>
#include <ATen/ops/cosh_meta.h>
#include <ATen/ops/digamma_meta.h>
#include <ATen/ops/elu_backward_meta.h>
#include <ATen/ops/elu_meta.h>
#include <ATen/ops/erf_meta.h>
#include <ATen/ops/erfc_meta.h>
#include <ATen/ops/erfinv_meta.h>
#include <ATen/ops/exp2_meta.h>
#include <ATen/ops/expm1_meta.h>
#include <ATen/ops/floor_meta.h>
#include <ATen/ops/fmax_meta.h>
#include <ATen/ops/fmin_meta.h>
#include <ATen/ops/fmod_meta.h>
#include <ATen/ops/frac_meta.h>
#include <ATen/ops/gcd_meta.h>
#include <ATen/ops/glu_meta.h>
#include <ATen/ops/hardshrink_backward_meta.h>
#include <ATen/ops/hardshrink_meta.h>
#include <ATen/ops/hardsigmoid_backward_meta.h>
#include <ATen/ops/hardsigmoid_meta.h>
#include <ATen/ops/heaviside_meta.h>
#include <ATen/ops/hypot_meta.h>
#include <ATen/ops/isneginf_meta.h>
#include <ATen/ops/isposinf_meta.h>
#include <ATen/ops/lcm_meta.h>
#include <ATen/ops/lgamma_meta.h>
#include <ATen/ops/log10_meta.h>
#include <ATen/ops/log1p_meta.h>
#include <ATen/ops/log2_meta.h>
#include <ATen/ops/logaddexp2_meta.h>
#include <ATen/ops/logaddexp_meta.h>
#include <ATen/ops/logit_backward_meta.h>
#include <ATen/ops/mish_meta.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/nextafter_meta.h>
#include <ATen/ops/polygamma_meta.h>
#include <ATen/ops/round_meta.h>
#include <ATen/ops/signbit_meta.h>
#include <ATen/ops/sinc_meta.h>
#include <ATen/ops/sinh_meta.h>
#include <ATen/ops/softshrink_backward_meta.h>
#include <ATen/ops/softshrink_meta.h>
#include <ATen/ops/special_entr_meta.h>
#include <ATen/ops/special_erfcx_meta.h>
#include <ATen/ops/special_log_ndtr_meta.h>
#include <ATen/ops/special_xlog1py_meta.h>
#include <ATen/ops/tan_meta.h>
#include <ATen/ops/to.h>
#include <ATen/ops/trunc_meta.h>
#include <ATen/ops/xlogy_meta.h>

namespace at::meta {

#define UNARY_META_FUNC(name) \
  TORCH_META_FUNC(name)(const Tensor& self) { build_borrowing_unary_op(maybe_get_output(), self); }
#define UNARY_FLOAT_META_FUNC(name) \
  TORCH_META_FUNC(name)(const Tensor& self) { build_borrowing_unary_float_op(maybe_get_output(), self); }
#define ROUNDING_META_FUNC(name)                                                                   \
  TORCH_META_FUNC(name)(const Tensor& self) {                                                      \
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), #name " is not supported for complex inputs"); \
    build_borrowing_unary_op(maybe_get_output(), self);                                            \
  }
#define BINARY_META_FUNC(name)                                     \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) { \
    build_borrowing_binary_op(maybe_get_output(), self, other);    \
  }
#define EXTREMUM_META_FUNC(name)                                                                           \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) {                                         \
    TORCH_CHECK(!self.is_complex() && !other.is_complex(), #name " not implemented for complex tensors."); \
    build_borrowing_binary_op(maybe_get_output(), self, other);                                            \
  }

// -------------------- one operand

UNARY_FLOAT_META_FUNC(acos)
UNARY_FLOAT_META_FUNC(acosh)
UNARY_FLOAT_META_FUNC(asin)
UNARY_FLOAT_META_FUNC(asinh)
UNARY_FLOAT_META_FUNC(atan)
UNARY_FLOAT_META_FUNC(atanh)
UNARY_FLOAT_META_FUNC(cosh)
UNARY_FLOAT_META_FUNC(digamma)
UNARY_FLOAT_META_FUNC(erf)
UNARY_FLOAT_META_FUNC(erfc)
UNARY_FLOAT_META_FUNC(erfinv)
UNARY_FLOAT_META_FUNC(exp2)
UNARY_FLOAT_META_FUNC(expm1)
UNARY_FLOAT_META_FUNC(lgamma)
UNARY_FLOAT_META_FUNC(log10)
UNARY_FLOAT_META_FUNC(log1p)
UNARY_FLOAT_META_FUNC(log2)
UNARY_FLOAT_META_FUNC(sinc)
UNARY_FLOAT_META_FUNC(sinh)
UNARY_FLOAT_META_FUNC(special_entr)
UNARY_FLOAT_META_FUNC(special_erfcx)
UNARY_FLOAT_META_FUNC(special_log_ndtr)
UNARY_FLOAT_META_FUNC(tan)

ROUNDING_META_FUNC(ceil)
ROUNDING_META_FUNC(floor)
ROUNDING_META_FUNC(round)
ROUNDING_META_FUNC(trunc)
UNARY_META_FUNC(frac)

TORCH_META_FUNC2(round, decimals)(const Tensor& self, int64_t /*decimals*/) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(polygamma)(int64_t n, const Tensor& self) {
  TORCH_CHECK(n >= 0, "polygamma(n, x) does not support negative n.");
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

TORCH_META_FUNC(signbit)(const Tensor& self) {
  TORCH_CHECK(!self.is_complex(), "signbit is not implemented for complex tensors.");
  TORCH_CHECK(!maybe_get_output().defined() || maybe_get_output().scalar_type() == kBool,
              "signbit does not support non-boolean outputs.");
  build_borrowing_unary_force_boolean_op(maybe_get_output(), self);
}

#define SIGNED_INFINITY_META_FUNC(name)                                                     \
  TORCH_META_FUNC(name)(const Tensor& self) {                                               \
    TORCH_CHECK(!self.is_complex(), #name " does not support complex inputs.");             \
    TORCH_CHECK(!maybe_get_output().defined() || maybe_get_output().scalar_type() == kBool, \
                #name " does not support non-boolean outputs.");                            \
    build_borrowing_unary_force_boolean_op(maybe_get_output(), self);                       \
  }

SIGNED_INFINITY_META_FUNC(isposinf)
SIGNED_INFINITY_META_FUNC(isneginf)

#undef SIGNED_INFINITY_META_FUNC

// -------------------- two operands

BINARY_META_FUNC(gcd)
BINARY_META_FUNC(hypot)
BINARY_META_FUNC(lcm)
BINARY_META_FUNC(logaddexp)
BINARY_META_FUNC(logaddexp2)
BINARY_META_FUNC(nextafter)
EXTREMUM_META_FUNC(fmax)
EXTREMUM_META_FUNC(fmin)

TORCH_META_FUNC2(fmod, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(bitwise_left_shift, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(bitwise_right_shift, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC(atan2)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(copysign, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(xlogy, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC(special_xlog1py)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(heaviside)(const Tensor& self, const Tensor& values) {
  TORCH_CHECK(!self.is_complex() && !values.is_complex() &&
                  !(maybe_get_output().defined() && maybe_get_output().is_complex()),
              "heaviside is not yet implemented for complex tensors.");
  TORCH_CHECK(self.scalar_type() == values.scalar_type() &&
                  (!maybe_get_output().defined() || self.scalar_type() == maybe_get_output().scalar_type()),
              "heaviside is not yet implemented for tensors with different dtypes.");
  build_binary_op(maybe_get_output(), self, values);
}

// -------------------- one bound

namespace {

// The dtype of `self` with a bound. One of a higher category promotes integers; a floating tensor keeps its
// dtype.
ScalarType bounded_type(const Tensor& self, const Scalar& bound, const Tensor& out, const char* name) {
  const ScalarType dtype = native::result_type(
      native::update_result_type_state(bound, native::update_result_type_state(self, {})));
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(dtype), name, " is not supported for complex types");
  TORCH_CHECK(dtype == self.scalar_type() || !out.defined() || !out.is_same(self), "result type ", dtype,
              " can't be cast to the desired output type ", self.scalar_type());
  return dtype;
}

}  // namespace

#define BOUND_META_FUNC(name)                                               \
  TORCH_META_FUNC(name)(const Tensor& self, const Scalar& bound) {          \
    const Tensor& out = maybe_get_output();                                 \
    const ScalarType dtype = bounded_type(self, bound, out, #name);         \
    if (dtype == self.scalar_type()) {                                      \
      build_borrowing_unary_op(out, self);                                  \
    } else {                                                                \
      build_output_borrowing_argument_owning_unary_op(out, self.to(dtype)); \
    }                                                                       \
  }                                                                         \
  TORCH_META_FUNC2(name, Tensor)(const Tensor& self, const Tensor& bound) { \
    build_borrowing_binary_op(maybe_get_output(), self, bound);             \
  }

BOUND_META_FUNC(clamp_max)
BOUND_META_FUNC(clamp_min)

#undef BOUND_META_FUNC

// -------------------- activation functions

UNARY_META_FUNC(hardsigmoid)
UNARY_META_FUNC(mish)

TORCH_META_FUNC(elu)(const Tensor& self, const Scalar&, const Scalar&, const Scalar&) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(hardshrink)(const Tensor& self, const Scalar&) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softshrink)(const Tensor& self, const Scalar& lambd) {
  TORCH_CHECK(lambd.toDouble() >= 0, "lambda must be greater or equal to 0, but found to be ",
              lambd.toDouble(), ".");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(glu)(const Tensor& self, int64_t dim) {
  // A split of nothing would have to give two halves of one number.
  TORCH_CHECK(self.dim() > 0, "glu does not support scalars because halving size must be even");
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(wrapped), half = size / 2;
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", wrapped, " is size ", size);
  TensorIteratorConfig config;
  config.add_borrowed_output(maybe_get_output())
      .add_owned_const_input(self.narrow(wrapped, 0, half))
      .add_owned_const_input(self.narrow(wrapped, half, half))
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
  build(config);
}

// -------------------- their gradients

TORCH_META_FUNC(elu_backward)
(const Tensor& grad_output, const Scalar& alpha, const Scalar&, const Scalar&, bool is_result,
 const Tensor& self_or_result) {
  TORCH_CHECK(
      !is_result || alpha.toDouble() >= 0.0,
      "In-place elu backward calculation is triggered with a negative slope which is not supported: the "
      "result does not tell what it was made of. Call the forward function out of place.");
  build_borrowing_binary_op(maybe_get_output(), grad_output, self_or_result);
}

TORCH_META_FUNC(hardsigmoid_backward)(const Tensor& grad_output, const Tensor& self) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(hardshrink_backward)(const Tensor& grad_output, const Tensor& self, const Scalar&) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(softshrink_backward)(const Tensor& grad_output, const Tensor& self, const Scalar&) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(logit_backward)
(const Tensor& grad_output, const Tensor& self, std::optional<double> /*eps*/) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

#undef UNARY_META_FUNC
#undef UNARY_FLOAT_META_FUNC
#undef ROUNDING_META_FUNC
#undef BINARY_META_FUNC
#undef EXTREMUM_META_FUNC

}  // namespace at::meta
