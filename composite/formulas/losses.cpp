// Formulas of losses: gradients of operands that broadcast, and second derivatives.
#include <ATen/native/formulas/formulas.h>

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
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/smooth_l1_loss_backward.h>
#include <ATen/ops/soft_margin_loss_backward.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>

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

// -------------------- A parabola between two lines

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

Tensor soft_margin_loss_double_backward_grad_output(const Tensor& grad, const Tensor& grad_output,
                                                    const Tensor& self, const Tensor& target,
                                                    int64_t reduction) {
  const Tensor product = at::soft_margin_loss_backward(grad, self, target, reduction);
  return grad_output.dim() == 0 ? product.sum() : product;
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
