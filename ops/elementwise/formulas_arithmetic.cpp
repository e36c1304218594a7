// Formulas of elementwise arithmetic.
#include <ATen/native/elementwise/formulas.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/le.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/real.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

namespace torch::inline C10_ABI::autograd::generated::details {

// -------------------- Products and quotients

Tensor mul_tensor_backward(const Tensor& grad, const Tensor& other, ScalarType self_st) {
  return handle_r_to_c(self_st, grad.mul(maybe_conj(other)));
}
Tensor mul_tensor_backward(const Tensor& grad, const Scalar& other, ScalarType self_st) {
  return handle_r_to_c(self_st, grad.mul(other.conj()));
}

Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st) {
  return handle_r_to_c(self_st, grad.div(maybe_conj(other)));
}
Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st) {
  return handle_r_to_c(self_st, grad.div(other.conj()));
}

Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st,
                                const std::optional<std::string_view>& rounding_mode) {
  if (rounding_mode.has_value()) return at::zeros_like(grad, grad.options().dtype(self_st));
  return div_tensor_self_backward(grad, other, self_st);
}
Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st,
                                const std::optional<std::string_view>& rounding_mode) {
  if (rounding_mode.has_value()) return at::zeros_like(grad, grad.options().dtype(self_st));
  return div_tensor_self_backward(grad, other, self_st);
}

Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other) {
  // Divided twice, as other * other may overflow.
  const Tensor slope = self.div(other).div(other);
  return handle_r_to_c(other, grad.neg().mul(maybe_conj(slope)));
}
Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                 const std::optional<std::string_view>& rounding_mode) {
  if (rounding_mode.has_value()) return at::zeros_like(grad, grad.options().dtype(other.scalar_type()));
  return div_tensor_other_backward(grad, self, other);
}

Tensor div_jvp(const Tensor& self_t, const Tensor& other_p, const Tensor& other_t, const Tensor& result) {
  // An operand without tangent contributes none, even where the quotient is infinite.
  const bool moves = other_t.is_floating_point() || other_t.is_complex();
  return (moves ? self_t.sub(other_t.mul(result)) : self_t).div(other_p);
}

Tensor remainder_other_backward(const Tensor& grad, const Scalar& self, const Tensor& other) {
  return grad.neg().mul(at::div(at::scalar_tensor(self, other.options()), other, "floor"));
}

// -------------------- Powers

namespace {

Tensor pow_slope_self(const Tensor& self, const Scalar& exponent) {
  const Scalar n = exponent.isBoolean() ? Scalar(exponent.toLong()) : exponent;
  if (n.equal(2) && !n.isComplex()) return self.mul(2);
  return n.isIntegral(false) ? self.pow(n.toLong() - 1).mul(n) : self.pow(-one_minus(n)).mul(n);
}

// exponent * self ** (exponent - 1). For exponent 0 the gradient is 0; at self = 0 the expression would be 0
// * (1 / 0).
Tensor pow_slope_self(const Tensor& self, const Tensor& exponent) {
  const Tensor flat = self.eq(0).logical_and(exponent.eq(0));
  return self.pow(exponent.sub(1).masked_fill(flat, 0)).mul(exponent);
}

Tensor is_not_negative(const Tensor& exponent) {
  return (exponent.is_complex() ? at::real(exponent) : exponent).ge(0);
}

// result * log(self). Where the base is 0 and the power, too, log(1) replaces log(0).
Tensor pow_slope_exponent(const Tensor& self, const Tensor& exponent, const Tensor& result) {
  const Tensor flat = self.eq(0).logical_and(is_not_negative(exponent));
  return result.mul(self.to(result.scalar_type()).masked_fill(flat, 1).log());
}

Tensor pow_slope_exponent(const Scalar& base, const Tensor& exponent, const Tensor& result) {
  const bool widen = exponent.is_complex() && !base.isComplex();
  const Scalar log = (widen ? Scalar(base.toComplexDouble()) : base).log();
  const Tensor slope = result.mul(log);
  return base.equal(0) ? slope.masked_fill(is_not_negative(exponent), 0) : slope;
}

}  // namespace

Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.equal(0) || exponent.equal(false)) return at::zeros_like(self);
  if (exponent.equal(1)) return handle_r_to_c(self, grad);
  return handle_r_to_c(self, grad.mul(maybe_conj(pow_slope_self(self, exponent))));
}

Tensor pow_backward_self(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  return handle_r_to_c(self, grad.mul(maybe_conj(pow_slope_self(self, exponent))));
}

Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent,
                             const Tensor& result) {
  return handle_r_to_c(exponent, grad.mul(maybe_conj(pow_slope_exponent(self, exponent, result))));
}
Tensor pow_backward_exponent(const Tensor& grad, const Scalar& base, const Tensor& exponent,
                             const Tensor& result) {
  return handle_r_to_c(exponent, grad.mul(maybe_conj(pow_slope_exponent(base, exponent, result))));
}

Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Scalar& exponent, ScalarType result_st) {
  const bool flat = exponent.equal(0) || exponent.equal(false);
  return (flat ? at::zeros_like(self_t) : self_t.mul(pow_slope_self(self_p, exponent))).to(result_st);
}
Tensor pow_jvp(const Scalar& base, const Tensor& exponent_p, const Tensor& exponent_t, const Tensor& result) {
  return exponent_t.mul(pow_slope_exponent(base, exponent_p, result));
}
Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& exponent_p, const Tensor& exponent_t,
               const Tensor& result) {
  return self_t.mul(pow_slope_self(self_p, exponent_p))
      .add(exponent_t.mul(pow_slope_exponent(self_p, exponent_p, result)));
}

// -------------------- Signs, extrema

Tensor sgn_backward(const Tensor& self, const Tensor& grad, const Tensor& sgn) {
  if (!self.is_complex()) return at::zeros_like(self);
  // On the unit circle only the component orthogonal to the radius changes the sign.
  const Tensor radius = self.abs(), at_zero = radius.eq(0);
  const Tensor turned = grad.div(radius.masked_fill(at_zero, 1));
  return turned.sub(at::real(turned.mul(sgn.conj())).mul(sgn)).masked_fill(at_zero, 0);
}

Tensor winner_backward(const Tensor& grad, const Tensor& loses, const Tensor& ties) {
  return at::where(ties, grad.div(2), grad).masked_fill_(loses, 0);
}

Tensor winner_jvp(const Tensor& self_t, const Tensor& other_t, const Tensor& wins, const Tensor& ties) {
  return at::where(ties, self_t.add(other_t).div(2), at::where(wins, self_t, other_t));
}

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                      const std::optional<Scalar>& max) {
  if (!min.has_value() && !max.has_value()) return grad;
  Tensor kept = min.has_value() ? self.ge(*min) : self.le(*max);
  if (min.has_value() && max.has_value()) kept = kept.logical_and_(self.le(*max));
  return at::where(kept, grad, 0);
}

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const Tensor& min, const Tensor& max) {
  if (!min.defined() && !max.defined()) return grad;
  Tensor kept = min.defined() ? self.ge(min) : self.le(max);
  if (min.defined() && max.defined()) kept = kept.logical_and(self.le(max));
  return at::where(kept, grad, 0);
}

std::tuple<Tensor, Tensor> clamp_backward_min_max(const Tensor& grad, const Tensor& self, const Tensor& min,
                                                  const Tensor& max, std::array<bool, 2> wanted) {
  Tensor grad_min, grad_max;
  if (!grad.defined()) return {grad_min, grad_max};
  const bool both = min.defined() && max.defined();
  if (wanted[0] && min.defined()) {
    const Tensor below = self.lt(min);
    grad_min = at::where(both ? below.logical_and(min.lt(max)) : below, grad, 0);
  }
  if (wanted[1] && max.defined()) {
    const Tensor above = self.gt(max);
    grad_max = at::where(both ? above.logical_or(max.lt(min)) : above, grad, 0);
  }
  return {grad_min, grad_max};
}

Tensor clamp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& min_p, const Tensor& min_t,
                 const Tensor& max_p, const Tensor& max_t) {
  Tensor tangent = self_t;
  if (min_p.defined()) tangent = at::where(self_p.lt(min_p), min_t, tangent);
  if (max_p.defined()) tangent = at::where(self_p.gt(max_p), max_t, tangent);
  if (min_p.defined() && max_p.defined()) tangent = at::where(min_p.gt(max_p), max_t, tangent);
  return tangent;
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
