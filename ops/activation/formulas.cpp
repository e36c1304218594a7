// Formulas of elementwise functions and of further activation functions.
#include <ATen/native/formulas/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/real.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace torch::inline C10_ABI::autograd::generated::details {

// -------------------- Elementwise functions

// Of a complex number i z / |z|^2 times the gradient, 0 at zero; a real one has its angle from its sign
// alone.
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

// -------------------- Activations

// (x t)'' with t = tanh(softplus(x)): t' = s (1 - t^2), t'' = (1 - t^2) (s (1 - s) - 2 t s^2)
Tensor mish_double_backward(const Tensor& grad, const Tensor& self) {
  const Tensor s = self.sigmoid(), t = at::softplus(self).tanh(), rest = at::rsub(t.mul(t), 1);
  const Tensor bend = s.mul(at::rsub(s, 1)).sub(t.mul(s).mul(s).mul(2));
  return grad.mul(rest).mul(s.mul(2).add(self.mul(bend)));
}

Tensor elu_double_backward(const Tensor& grad, const Tensor& grad_output, const Scalar& alpha,
                           const Scalar& scale, const Scalar& input_scale, bool is_result,
                           const Tensor& self_or_result) {
  const double slope = input_scale.toDouble(), height = alpha.toDouble() * scale.toDouble();
  const Tensor product = grad.mul(grad_output);
  const Tensor below = is_result ? product.mul(slope)
                                 : product.mul(self_or_result.mul(slope).exp()).mul(slope * slope * height);
  return below.masked_fill(self_or_result.gt(0), 0);
}

namespace {

struct Halves {
  Tensor first, second;
};

Halves halves_of(const Tensor& t, int64_t dim) {
  const int64_t half = t.size(dim) / 2;
  return {t.narrow(dim, 0, half), t.narrow(dim, half, half)};
}

}  // namespace

// The gradients of a s(b): g s and g a s (1 - s).
Tensor glu_double_backward_grad_output(const Tensor& grad, const Tensor& self, int64_t dim) {
  const Halves g = halves_of(grad, dim), x = halves_of(self, dim);
  const Tensor s = x.second.sigmoid(), slope = s.mul(at::rsub(s, 1));
  return g.first.mul(s).add(g.second.mul(x.first).mul(slope));
}

Tensor glu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self, int64_t dim) {
  const Halves g = halves_of(grad, dim), x = halves_of(self, dim);
  const Tensor s = x.second.sigmoid(), slope = s.mul(at::rsub(s, 1));
  const Tensor bend = slope.mul(at::rsub(s.mul(2), 1));
  const Tensor of_first = g.second.mul(grad_output).mul(slope);
  const Tensor of_second = g.first.mul(slope).add(g.second.mul(x.first).mul(bend)).mul(grad_output);
  return at::cat({of_first, of_second}, dim);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
