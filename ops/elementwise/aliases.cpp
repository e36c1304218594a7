// Operators that are aliases of others.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/absolute_native.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/and_native.h>
#include <ATen/ops/arccos_native.h>
#include <ATen/ops/arccosh_native.h>
#include <ATen/ops/arcsin_native.h>
#include <ATen/ops/arcsinh_native.h>
#include <ATen/ops/arctan2_native.h>
#include <ATen/ops/arctan_native.h>
#include <ATen/ops/arctanh_native.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clip_native.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/div.h>
#include <ATen/ops/divide_native.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/erfinv.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/fix_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/greater_equal_native.h>
#include <ATen/ops/greater_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/le.h>
#include <ATen/ops/less_equal_native.h>
#include <ATen/ops/less_native.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/logit.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/multiply_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/negative_native.h>
#include <ATen/ops/not_equal_native.h>
#include <ATen/ops/or_native.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sinc.h>
#include <ATen/ops/special_digamma_native.h>
#include <ATen/ops/special_erf_native.h>
#include <ATen/ops/special_erfc_native.h>
#include <ATen/ops/special_erfinv_native.h>
#include <ATen/ops/special_exp2_native.h>
#include <ATen/ops/special_expit_native.h>
#include <ATen/ops/special_expm1_native.h>
#include <ATen/ops/special_gammaln_native.h>
#include <ATen/ops/special_log1p_native.h>
#include <ATen/ops/special_logit_native.h>
#include <ATen/ops/special_psi_native.h>
#include <ATen/ops/special_round_native.h>
#include <ATen/ops/special_sinc_native.h>
#include <ATen/ops/special_xlogy_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/subtract_native.h>
#include <ATen/ops/true_divide_native.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xor_native.h>

namespace at::native {

// -------------------- one operand

#define FUNCTION_ALIAS(alias, name)                        \
  Tensor alias(const Tensor& self) { return self.name(); } \
  Tensor& alias##_out(const Tensor& self, Tensor& result) { return at::name##_outf(self, result); }
#define UNARY_ALIAS(alias, name) \
  FUNCTION_ALIAS(alias, name)    \
  Tensor& alias##_(Tensor& self) { return self.name##_(); }

UNARY_ALIAS(absolute, abs)
UNARY_ALIAS(arccos, acos)
UNARY_ALIAS(arccosh, acosh)
UNARY_ALIAS(arcsin, asin)
UNARY_ALIAS(arcsinh, asinh)
UNARY_ALIAS(arctan, atan)
UNARY_ALIAS(arctanh, atanh)
UNARY_ALIAS(fix, trunc)
UNARY_ALIAS(negative, neg)

FUNCTION_ALIAS(special_digamma, digamma)
FUNCTION_ALIAS(special_erf, erf)
FUNCTION_ALIAS(special_erfc, erfc)
FUNCTION_ALIAS(special_erfinv, erfinv)
FUNCTION_ALIAS(special_exp2, exp2)
FUNCTION_ALIAS(special_expit, sigmoid)
FUNCTION_ALIAS(special_expm1, expm1)
FUNCTION_ALIAS(special_gammaln, lgamma)
FUNCTION_ALIAS(special_log1p, log1p)
FUNCTION_ALIAS(special_psi, digamma)
FUNCTION_ALIAS(special_sinc, sinc)
#undef UNARY_ALIAS
#undef FUNCTION_ALIAS

Tensor special_logit(const Tensor& self, std::optional<double> eps) { return self.logit(eps); }
Tensor& special_logit_out(const Tensor& self, std::optional<double> eps, Tensor& result) {
  return at::logit_outf(self, eps, result);
}
Tensor special_round(const Tensor& self, int64_t decimals) { return self.round(decimals); }
Tensor& special_round_out(const Tensor& self, int64_t decimals, Tensor& result) {
  return at::round_outf(self, decimals, result);
}

// -------------------- comparisons

#define COMPARISON_ALIAS(alias, name)                                                 \
  Tensor alias(const Tensor& self, const Tensor& other) { return self.name(other); }  \
  Tensor alias(const Tensor& self, const Scalar& other) { return self.name(other); }  \
  Tensor& alias##_(Tensor& self, const Tensor& other) { return self.name##_(other); } \
  Tensor& alias##_(Tensor& self, const Scalar& other) { return self.name##_(other); } \
  Tensor& alias##_out(const Tensor& self, const Tensor& other, Tensor& result) {      \
    return at::name##_outf(self, other, result);                                      \
  }                                                                                   \
  Tensor& alias##_out(const Tensor& self, const Scalar& other, Tensor& result) {      \
    return at::name##_outf(self, other, result);                                      \
  }

COMPARISON_ALIAS(greater, gt)
COMPARISON_ALIAS(greater_equal, ge)
COMPARISON_ALIAS(less, lt)
COMPARISON_ALIAS(less_equal, le)
COMPARISON_ALIAS(not_equal, ne)
#undef COMPARISON_ALIAS

// -------------------- arithmetic

#define ARITHMETIC_ALIAS(alias, name)                                                 \
  Tensor alias(const Tensor& self, const Tensor& other) { return self.name(other); }  \
  Tensor alias(const Tensor& self, const Scalar& other) { return self.name(other); }  \
  Tensor& alias##_(Tensor& self, const Tensor& other) { return self.name##_(other); } \
  Tensor& alias##_(Tensor& self, const Scalar& other) { return self.name##_(other); } \
  Tensor& alias##_out(const Tensor& self, const Tensor& other, Tensor& result) {      \
    return at::name##_outf(self, other, result);                                      \
  }

ARITHMETIC_ALIAS(multiply, mul)
ARITHMETIC_ALIAS(divide, div)
ARITHMETIC_ALIAS(true_divide, div)
#undef ARITHMETIC_ALIAS

Tensor divide(const Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}
Tensor divide(const Tensor& self, const Scalar& other, std::optional<c10::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}
Tensor& divide_(Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode) {
  return self.div_(other, rounding_mode);
}
Tensor& divide_(Tensor& self, const Scalar& other, std::optional<c10::string_view> rounding_mode) {
  return self.div_(other, rounding_mode);
}
Tensor& divide_out(const Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode,
                   Tensor& result) {
  return at::div_outf(self, other, rounding_mode, result);
}

Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return self.sub(other, alpha);
}
Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub(other, alpha);
}
Tensor& subtract_(Tensor& self, const Tensor& other, const Scalar& alpha) { return self.sub_(other, alpha); }
Tensor& subtract_(Tensor& self, const Scalar& other, const Scalar& alpha) { return self.sub_(other, alpha); }
Tensor& subtract_out(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& result) {
  return at::sub_outf(self, other, alpha, result);
}

Tensor arctan2(const Tensor& self, const Tensor& other) { return self.atan2(other); }
Tensor& arctan2_(Tensor& self, const Tensor& other) { return self.atan2_(other); }
Tensor& arctan2_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::atan2_outf(self, other, result);
}

Tensor special_xlogy(const Tensor& self, const Tensor& other) { return at::xlogy(self, other); }
Tensor special_xlogy(const Scalar& self, const Tensor& other) { return at::xlogy(self, other); }
Tensor special_xlogy(const Tensor& self, const Scalar& other) { return at::xlogy(self, other); }
Tensor& special_xlogy_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::xlogy_outf(self, other, result);
}
Tensor& special_xlogy_out(const Scalar& self, const Tensor& other, Tensor& result) {
  return at::xlogy_outf(self, other, result);
}
Tensor& special_xlogy_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::xlogy_outf(self, other, result);
}

// -------------------- clamp

Tensor clip(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return self.clamp(min, max);
}
Tensor clip(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return self.clamp(min, max);
}
Tensor& clip_(Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return self.clamp_(min, max);
}
Tensor& clip_(Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return self.clamp_(min, max);
}
Tensor& clip_out(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                 Tensor& result) {
  return at::clamp_outf(self, min, max, result);
}
Tensor& clip_out(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max,
                 Tensor& result) {
  return at::clamp_outf(self, min, max, result);
}

// -------------------- operators of Python

#define BITWISE_ALIAS(alias, in_place, name)                                          \
  Tensor alias(const Tensor& self, const Tensor& other) { return self.name(other); }  \
  Tensor alias(const Tensor& self, const Scalar& other) { return self.name(other); }  \
  Tensor& in_place(Tensor& self, const Tensor& other) { return self.name##_(other); } \
  Tensor& in_place(Tensor& self, const Scalar& other) { return self.name##_(other); }

BITWISE_ALIAS(__and__, __iand__, bitwise_and)
BITWISE_ALIAS(__or__, __ior__, bitwise_or)
BITWISE_ALIAS(__xor__, __ixor__, bitwise_xor)
#undef BITWISE_ALIAS

}  // namespace at::native
