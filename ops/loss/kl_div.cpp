// kl_div, poisson_nll_loss, and losses of similarities, composed of other operators.
#include <ATen/core/Tensor.h>
#include <ATen/native/loss/reduction.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/cosine_embedding_loss_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/kl_div_native.h>
#include <ATen/ops/le.h>
#include <ATen/ops/log.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pairwise_distance.h>
#include <ATen/ops/poisson_nll_loss_native.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/triplet_margin_loss_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace at::native {

namespace {

// x log(x), continued by 0.
Tensor times_own_logarithm(const Tensor& x) {
  return at::mul(x, at::log(at::masked_fill(x, at::eq(x, 0), 1)));
}

}  // namespace

Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target) {
  TORCH_CHECK(!isIntegralType(self.scalar_type(), true) && !isIntegralType(target.scalar_type(), true),
              "kl_div: Integral inputs not supported.");
  const Tensor loss = log_target ? at::mul(at::exp(target), at::sub(target, self))
                                 : at::sub(times_own_logarithm(target), at::mul(target, self));
  return apply_loss_reduction(loss, reduction);
}

// `full` adds Stirling's approximation of log(target!).
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction) {
  Tensor loss = log_input ? at::sub(at::exp(input), at::mul(target, input))
                          : at::sub(input, at::mul(target, at::log(at::add(input, eps))));
  if (full) {
    constexpr double two_pi = 6.283185307179586;
    const Tensor half_log = at::mul(at::log(at::mul(target, two_pi)), 0.5);
    const Tensor stirling = at::add(at::sub(at::mul(target, at::log(target)), target), half_log);
    loss = at::add(loss, at::masked_fill(stirling, at::le(target, 1), 0));
  }
  return apply_loss_reduction(loss, reduction);
}

Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                             int64_t reduction) {
  constexpr double epsilon = 1e-12;
  TORCH_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  const int64_t dims = target.dim() + 1;
  TORCH_CHECK(input1.dim() == dims && input2.dim() == dims, target.dim(), "D target tensor expects ", dims,
              "D input tensors, but found inputs with sizes ", input1.sizes(), " and ", input2.sizes(), ".");
  const int64_t last = target.dim();
  const auto along = [last](const Tensor& a, const Tensor& b) { return at::sum(at::mul(a, b), last); };
  const Tensor squares =
      at::mul(at::add(along(input1, input1), epsilon), at::add(along(input2, input2), epsilon));
  const Tensor cosine = at::div(along(input1, input2), at::sqrt(squares));
  const Tensor nothing = at::zeros_like(cosine);
  const Tensor similar = at::where(at::eq(target, 1), at::rsub(cosine, 1), nothing);
  const Tensor dissimilar = at::where(at::eq(target, -1), at::clamp(at::sub(cosine, margin), 0), nothing);
  return apply_loss_reduction(at::add(similar, dissimilar), reduction);
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           double margin, double p, double eps, bool swap, int64_t reduction) {
  TORCH_CHECK(
      anchor.dim() == positive.dim() && positive.dim() == negative.dim(),
      "The anchor, positive, and negative tensors are expected to have the same number of dimensions, ",
      "but got: anchor ", anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(),
      "D inputs");
  const Tensor near = at::pairwise_distance(anchor, positive, p, eps);
  Tensor far = at::pairwise_distance(anchor, negative, p, eps);
  if (swap) far = at::minimum(far, at::pairwise_distance(positive, negative, p, eps));
  return apply_loss_reduction(at::clamp(at::sub(at::add(near, margin), far), 0), reduction);
}

}  // namespace at::native
