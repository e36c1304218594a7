// Formulas of activation functions.
#include <ATen/native/activation/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>

#include <cmath>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// (x * cdf(x))'' of the normal distribution: density(x) * (2 - x^2)
Tensor gelu_curvature(const Tensor& x) {
  const Tensor square = x.mul(x);
  const Tensor density = square.mul(-0.5).exp().mul(M_2_SQRTPI * M_SQRT1_2 / 2);
  return density.mul(at::rsub(square, 2));
}

// (x * (1 + tanh(u)) / 2)'' with u = k * (x + c * x^3)
Tensor tanh_gelu_curvature(const Tensor& x) {
  constexpr double k = M_2_SQRTPI * M_SQRT1_2, c = 0.044715;
  const Tensor square = x.mul(x);
  const Tensor t = x.mul(square.mul(c * k).add(k)).tanh();
  const Tensor slope = square.mul(3 * c * k).add(k), curvature = x.mul(6 * c * k);
  const Tensor bend = curvature.sub(t.mul(slope).mul(slope).mul(2));
  return at::rsub(t.mul(t), 1).mul(slope.add(x.mul(bend).mul(0.5)));
}

// s'(x) = s * (1 - s)
Tensor sigmoid_slope(const Tensor& s) { return s.mul(at::rsub(s, 1)); }

}  // namespace

Tensor gelu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self,
                            std::string_view approximate) {
  return grad.mul(grad_output).mul(approximate == "tanh" ? tanh_gelu_curvature(self) : gelu_curvature(self));
}

Tensor silu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self) {
  // (x * s)'' = s * (1 - s) * (2 + x * (1 - 2 * s))
  const Tensor s = self.sigmoid();
  const Tensor curvature = sigmoid_slope(s).mul(self.mul(at::rsub(s.mul(2), 1)).add(2));
  return grad.mul(maybe_conj(grad_output.mul(curvature)));
}

Tensor softplus_double_backward(const Tensor& grad, const Tensor& self, const Scalar& beta,
                                const Scalar& threshold) {
  const Tensor x = self.mul(beta);
  return grad.mul(sigmoid_slope(x.sigmoid()).mul(beta)).masked_fill(x.gt(threshold), 0);
}

Tensor log_sigmoid_double_backward(const Tensor& grad, const Tensor& self) {
  return grad.mul(sigmoid_slope(self.sigmoid())).neg();
}

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
