// Meta functions of elementwise operators other than arithmetic, where they say more than the common dtype.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/acos_meta.h>
#include <ATen/ops/acosh_meta.h>
#include <ATen/ops/addcdiv_meta.h>
#include <ATen/ops/addcmul_meta.h>
#include <ATen/ops/asin_meta.h>
#include <ATen/ops/asinh_meta.h>
#include <ATen/ops/atan2_meta.h>
#include <ATen/ops/atan_meta.h>
#include <ATen/ops/atanh_meta.h>
#include <ATen/ops/ceil_meta.h>
#include <ATen/ops/clamp_max_meta.h>
#include <ATen/ops/clamp_min_meta.h>
#include <ATen/ops/copysign_meta.h>
#include <ATen/ops/cosh_meta.h>
#include <ATen/ops/digamma_meta.h>
#include <ATen/ops/erf_meta.h>
#include <ATen/ops/erfc_meta.h>
#include <ATen/ops/erfinv_meta.h>
#include <ATen/ops/exp2_meta.h>
#include <ATen/ops/expm1_meta.h>
#include <ATen/ops/floor_meta.h>
#include <ATen/ops/fmax_meta.h>
#include <ATen/ops/fmin_meta.h>
#include <ATen/ops/heaviside_meta.h>
#include <ATen/ops/isneginf_meta.h>
#include <ATen/ops/isposinf_meta.h>
#include <ATen/ops/lerp_meta.h>
#include <ATen/ops/lgamma_meta.h>
#include <ATen/ops/log10_meta.h>
#include <ATen/ops/log1p_meta.h>
#include <ATen/ops/log2_meta.h>
#include <ATen/ops/logit_backward_meta.h>
#include <ATen/ops/nextafter_meta.h>
#include <ATen/ops/polygamma_meta.h>
#include <ATen/ops/round_meta.h>
#include <ATen/ops/sign_meta.h>
#include <ATen/ops/signbit_meta.h>
#include <ATen/ops/sinc_meta.h>
#include <ATen/ops/sinh_meta.h>
#include <ATen/ops/special_entr_meta.h>
#include <ATen/ops/special_erfcx_meta.h>
#include <ATen/ops/special_log_ndtr_meta.h>
#include <ATen/ops/special_xlog1py_meta.h>
#include <ATen/ops/tan_meta.h>
#include <ATen/ops/to.h>
#include <ATen/ops/trunc_meta.h>
#include <ATen/ops/xlogy_meta.h>

namespace at::meta {

#define UNARY_FLOAT_META_FUNC(name) \
  TORCH_META_FUNC(name)(const Tensor& self) { build_borrowing_unary_float_op(maybe_get_output(), self); }
#define ROUNDING_META_FUNC(name)                                                                   \
  TORCH_META_FUNC(name)(const Tensor& self) {                                                      \
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), #name " is not supported for complex inputs"); \
    build_borrowing_unary_op(maybe_get_output(), self);                                            \
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

TORCH_META_FUNC(sign)(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(),
                              "Unlike NumPy, torch.sign is not intended to support complex numbers. Please "
                              "use torch.sgn instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

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

EXTREMUM_META_FUNC(fmax)
EXTREMUM_META_FUNC(fmin)

TORCH_META_FUNC(nextafter)(const Tensor& self, const Tensor& other) {
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

// The dtype of `self` with a bound. A bound of a higher category promotes integers; a floating tensor keeps
// its dtype.
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
  // A 0-dim weight is treated as a scalar.
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

// -------------------- gradients

TORCH_META_FUNC(logit_backward)
(const Tensor& grad_output, const Tensor& self, std::optional<double> /*eps*/) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

#undef UNARY_FLOAT_META_FUNC
#undef ROUNDING_META_FUNC
#undef EXTREMUM_META_FUNC

}  // namespace at::meta
