// Formulas of logcumsumexp.
#include <ATen/native/scan/formulas.h>

#include <ATen/WrapDimUtils.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logcumsumexp.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/where.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// The logarithm of the positive elements of x, and for the rest a value whose exponential is zero: minus
// infinity would give NaN second derivatives.
Tensor log_of_positive(const Tensor& x) {
  const double none = x.scalar_type() == at::kHalf ? -6e4 : -1e30;
  return at::where(x.gt(0), x.abs().log(), at::scalar_tensor(none, x.options()));
}

}  // namespace

// Each element's contribution to all later sums: exp(self) * sum(grad * exp(-result)), by logarithms.
Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, int64_t dim) {
  if (grad.dim() == 0 || grad.numel() == 0) return grad;
  if (grad.is_complex()) {
    const Tensor zero = grad.eq(0);
    const Tensor share = maybe_conj(grad).masked_fill(zero, 1).log().masked_fill(zero, -1e30);
    return maybe_conj(share.sub(result).flip({dim}).logcumsumexp(dim).flip({dim}).add(self).exp());
  }
  const auto along = [&](const Tensor& part) {
    return log_of_positive(part).sub(result).flip({dim}).logcumsumexp(dim).flip({dim}).add(self).exp();
  };
  return along(grad).sub(along(grad.neg()));
}

Tensor logcumsumexp_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim) {
  if (self_p.dim() == 0 || self_p.numel() == 0) return self_t;
  const Tensor result = self_p.logcumsumexp(dim);
  if (self_p.is_complex()) return self_p.exp().mul(self_t).cumsum(dim).mul(result.neg().exp());
  const auto along = [&](const Tensor& part) {
    return log_of_positive(part).add(self_p).logcumsumexp(dim).sub(result).exp();
  };
  return along(self_t).sub(along(self_t.neg()));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
