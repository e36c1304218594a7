// Formulas of elementwise functions.
#include <ATen/native/elementwise/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/real.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace torch::inline C10_ABI::autograd::generated::details {

// For complex z: i z / |z|^2 times the gradient, 0 at zero; the angle of a real number is piecewise constant.
Tensor angle_backward(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return at::zeros_like(self);
  const Tensor real = at::real(self), imaginary = at::imag(self);
  const Tensor square = real.mul(real).add(imaginary.mul(imaginary));
  const Tensor scaled = grad.div(square.masked_fill(square.eq(0), 1));
  return self.mul(Scalar(c10::complex<double>(0, 1))).mul(scaled);
}

std::tuple<Tensor, Tensor> atan2_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                          std::array<bool, 2> wanted) {
  if (!grad.defined()) return {};
  const Tensor square = self.mul(self).add(other.mul(other));
  const Tensor scaled = grad.div(square.masked_fill(square.eq(0), INFINITY));
  return {wanted[0] ? scaled.mul(other) : Tensor(), wanted[1] ? scaled.mul(self).neg() : Tensor()};
}

Tensor copysign_tensor_self_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  return grad.mul(result.div(self).masked_fill(self.eq(0), 0));
}

// d sin(u)/u with u = pi x: (cos(u) - sin(u)/u) / x, 0 at zero.
Tensor sinc_backward(const Tensor& grad, const Tensor& self) {
  const Tensor u = self.mul(M_PI), square = u.mul(self);
  const Tensor slope = u.mul(u.cos()).sub(u.sin()).div(square);
  const Tensor conjugated_slope = slope.is_complex() ? slope.conj() : slope;
  return grad.mul(conjugated_slope).masked_fill(square.eq(0), 0);
}

// (1 / (x (1 - x)))' = (2x - 1) / (x (1 - x))^2
Tensor logit_double_backward(const Tensor& grad, const Tensor& self, std::optional<double> eps) {
  const Tensor product = self.mul(at::rsub(self, 1));
  const Tensor slope = self.mul(2).sub(1).div(product.mul(product));
  const double low = eps.value_or(0.0);
  return grad.mul(slope).masked_fill(self.lt(low).logical_or(self.gt(1 - low)), eps ? 0.0 : NAN);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
