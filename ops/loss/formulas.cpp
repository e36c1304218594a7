// Formulas of activation functions and losses.
#include <ATen/ExpandUtils.h>
#include <ATen/core/Reduction.h>
#include <ATen/native/formulas/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mse_loss_backward.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/nll_loss_backward.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace torch::inline C10_ABI::autograd::generated::details {

// -------------------- Activations

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

// -------------------- Losses

Tensor mse_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                              int64_t reduction) {
  if (self.sizes() == target.sizes()) return at::mse_loss_backward(grad, self, target, reduction);
  const at::DimVector sizes = at::infer_size_dimvector(self.sizes(), target.sizes());
  return at::mse_loss_backward(grad, self.expand(sizes), target.expand(sizes), reduction);
}

Tensor mse_loss_double_backward(const Tensor& grad, int64_t numel, int64_t reduction) {
  return grad.mul(reduction == at::Reduction::Mean ? 2.0 / static_cast<double>(numel) : 2.0);
}

namespace {

Tensor reduced(const Tensor& loss, int64_t reduction) {
  if (reduction == at::Reduction::Mean) return loss.mean();
  return reduction == at::Reduction::Sum ? loss.sum() : loss;
}

}  // namespace

Tensor mse_loss_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& target_p,
                    const Tensor& target_t, int64_t reduction) {
  return reduced(self_p.sub(target_p).mul(self_t.sub(target_t)).mul(2), reduction);
}

// The gradient of nll_loss is linear in grad_output and in weight, and for a mean divided by total_weight.

std::tuple<Tensor, Tensor, Tensor> nll_loss_double_backward(const Tensor& grad, const Tensor& grad_output,
                                                            const Tensor& self, const Tensor& target,
                                                            const Tensor& weight, int64_t reduction,
                                                            const SymInt& ignore_index,
                                                            const Tensor& total_weight,
                                                            std::array<bool, 3> wanted) {
  Tensor of_grad_output, of_weight, of_total;
  if (!grad.defined()) return {of_grad_output, of_weight, of_total};
  const auto times_backward = [&](const Tensor& grad_output, const Tensor& weight) {
    return grad.mul(at::nll_loss_backward_symint(grad_output, self, target, weight, reduction, ignore_index,
                                                 total_weight));
  };
  if (wanted[0]) {
    const Tensor product = times_backward(at::ones_like(grad_output), weight);
    of_grad_output = grad_output.dim() == 0 ? product.sum() : product.sum(-1);
  }
  if (wanted[1]) of_weight = times_backward(grad_output, Tensor());
  if (wanted[2]) {
    of_total = reduction == at::Reduction::Mean
                   ? times_backward(grad_output, weight).sum().div(total_weight).neg()
                   : at::zeros_like(total_weight);
  }
  return {of_grad_output, of_weight, of_total};
}

Tensor nll_loss_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t, const Tensor& self,
                             const Tensor& target, const Tensor& weight_p, const Tensor& weight_t,
                             int64_t reduction, const SymInt& ignore_index, const Tensor& total_weight_p,
                             const Tensor& total_weight_t) {
  const auto backward = [&](const Tensor& grad_output, const Tensor& weight) {
    return at::nll_loss_backward_symint(grad_output, self, target, weight, reduction, ignore_index,
                                        total_weight_p);
  };
  Tensor tangent = backward(grad_output_t, weight_p);
  if (weight_t.defined()) tangent = tangent.add(backward(grad_output_p, weight_t));
  if (reduction != at::Reduction::Mean) return tangent;
  return tangent.sub(backward(grad_output_p, weight_p).mul(total_weight_t.div(total_weight_p)));
}

namespace {

// The slopes of (1 - t) * x + (1 + (p - 1) * t) * log(1 + exp(-x)), where p is 1 if undefined.

Tensor logits_slope(const Tensor& x, const Tensor& t, const Tensor& p) {
  const Tensor s = x.sigmoid();
  if (!p.defined()) return s.sub(t);
  const Tensor positive = t.mul(p);
  return s.mul(positive.sub(t).add(1)).sub(positive);
}

Tensor logits_target_slope(const Tensor& x, const Tensor& p) {
  if (!p.defined()) return x.neg();
  return p.sub(1).mul(at::softplus(x.neg())).sub(x);
}

// The gradient of each element of a loss before it is weighted and reduced.
Tensor unreduced(const Tensor& grad, const Tensor& weight, int64_t numel, int64_t reduction) {
  const Tensor share = reduction == at::Reduction::Mean ? grad.div(numel) : grad;
  return weight.defined() ? share.mul(weight) : share;
}

}  // namespace

Tensor binary_cross_entropy_with_logits_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                                 const Tensor& weight, const Tensor& pos_weight,
                                                 int64_t reduction) {
  return logits_slope(self, target, pos_weight).mul(unreduced(grad, weight, self.numel(), reduction));
}

Tensor binary_cross_entropy_with_logits_target_backward(const Tensor& grad, const Tensor& self,
                                                        const Tensor& weight, const Tensor& pos_weight,
                                                        int64_t reduction) {
  return logits_target_slope(self, pos_weight).mul(unreduced(grad, weight, self.numel(), reduction));
}

Tensor binary_cross_entropy_with_logits_jvp(const Tensor& self_p, const Tensor& self_t,
                                            const Tensor& target_p, const Tensor& target_t,
                                            const std::optional<Tensor>& weight,
                                            const std::optional<Tensor>& pos_weight, int64_t reduction) {
  const Tensor p = pos_weight.value_or(Tensor());
  const Tensor moved =
      logits_slope(self_p, target_p, p).mul(self_t).add(logits_target_slope(self_p, p).mul(target_t));
  return reduced(unreduced(moved, weight.value_or(Tensor()), 1, at::Reduction::None), reduction);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
