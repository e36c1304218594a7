// Formulas of losses: gradients of operands that broadcast, and second derivatives.
#include <ATen/native/loss/formulas.h>

#include <ATen/ExpandUtils.h>
#include <ATen/core/Reduction.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/huber_loss_backward.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mse_loss_backward.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/nll_loss_backward.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/smooth_l1_loss_backward.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor loss_reduction(const Tensor& loss, int64_t reduction) {
  if (reduction == at::Reduction::Mean) return loss.mean();
  return reduction == at::Reduction::Sum ? loss.sum() : loss;
}

namespace {

Tensor shared(const Tensor& gradient, int64_t numel, int64_t reduction) {
  return reduction == at::Reduction::Mean ? gradient.div(numel) : gradient;
}

Tensor weighted(const Tensor& gradient, const std::optional<Tensor>& weight) {
  return weight && weight->defined() ? gradient.mul(*weight) : gradient;
}

template <class Backward>
Tensor broadcast(const Tensor& self, const Tensor& target, const Backward& backward) {
  if (self.sizes() == target.sizes()) return backward(self, target);
  const at::DimVector sizes = at::infer_size_dimvector(self.sizes(), target.sizes());
  return backward(self.expand(sizes), target.expand(sizes));
}

}  // namespace

// -------------------- smooth_l1_loss and huber_loss: a parabola, and lines beyond

Tensor smooth_l1_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                    int64_t reduction, double beta) {
  return broadcast(self, target, [&](const Tensor& x, const Tensor& t) {
    return at::smooth_l1_loss_backward(grad, x, t, reduction, beta);
  });
}

Tensor smooth_l1_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                      int64_t reduction, double beta) {
  if (beta == 0) return grad.mul(0);
  const Tensor outside = self.sub(target).abs().lt(beta).logical_not();
  return shared(grad.masked_fill(outside, 0).div(beta), self.numel(), reduction);
}

Tensor huber_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                int64_t reduction, double delta) {
  return broadcast(self, target, [&](const Tensor& x, const Tensor& t) {
    return at::huber_loss_backward(grad, x, t, reduction, delta);
  });
}

Tensor huber_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                  int64_t reduction, double delta) {
  const Tensor outside = self.sub(target).abs().lt(delta).logical_not();
  return shared(grad.masked_fill(outside, 0), self.numel(), reduction);
}

// -------------------- binary_cross_entropy: -(t log(x) + (1 - t) log(1 - x)), logarithms at least -100

Tensor binary_cross_entropy_target_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                            const std::optional<Tensor>& weight, int64_t reduction) {
  const Tensor no = at::rsub(self, 1).log().clamp(-100), yes = self.log().clamp(-100);
  return shared(weighted(no.sub(yes).mul(grad), weight), target.numel(), reduction);
}

Tensor binary_cross_entropy_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                            const std::optional<Tensor>& weight, int64_t reduction) {
  constexpr double epsilon = 1e-12;
  const Tensor spread = self.mul(at::rsub(self, 1)).clamp(epsilon);
  // ((x - t) / (x (1 - x)))' = (x^2 - 2 x t + t) / (x (1 - x))^2
  const Tensor curvature = self.mul(self).sub(self.mul(target).mul(2)).add(target).div(spread.mul(spread));
  return shared(weighted(grad.mul(curvature), weight), self.numel(), reduction);
}

Tensor binary_cross_entropy_double_backward_target(const Tensor& grad, const Tensor& self,
                                                   const std::optional<Tensor>& weight, int64_t reduction) {
  constexpr double epsilon = 1e-12;
  const Tensor spread = self.mul(at::rsub(self, 1)).clamp(epsilon);
  return shared(weighted(grad.div(spread).neg(), weight), self.numel(), reduction);
}

// -------------------- soft_margin_loss: log(1 + exp(-t x))

Tensor soft_margin_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                        int64_t reduction) {
  const Tensor s = target.mul(self).sigmoid();
  return shared(grad.mul(target).mul(target).mul(s).mul(at::rsub(s, 1)), self.numel(), reduction);
}

// -------------------- mse_loss, nll_loss and binary_cross_entropy_with_logits

Tensor mse_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                              int64_t reduction) {
  if (self.sizes() == target.sizes()) return at::mse_loss_backward(grad, self, target, reduction);
  const at::DimVector sizes = at::infer_size_dimvector(self.sizes(), target.sizes());
  return at::mse_loss_backward(grad, self.expand(sizes), target.expand(sizes), reduction);
}

Tensor mse_loss_double_backward(const Tensor& grad, int64_t numel, int64_t reduction) {
  return grad.mul(reduction == at::Reduction::Mean ? 2.0 / static_cast<double>(numel) : 2.0);
}

Tensor mse_loss_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& target_p,
                    const Tensor& target_t, int64_t reduction) {
  return loss_reduction(self_p.sub(target_p).mul(self_t.sub(target_t)).mul(2), reduction);
}

// The gradient of nll_loss is linear in grad_output and in weight; for a mean it is divided by total_weight.

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

// The derivatives of (1 - t) * x + (1 + (p - 1) * t) * log(1 + exp(-x)), where p is 1 if undefined.

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

// The gradient of each element of a loss before weighting and reduction.
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
  return loss_reduction(unreduced(moved, weight.value_or(Tensor()), 1, at::Reduction::None), reduction);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
