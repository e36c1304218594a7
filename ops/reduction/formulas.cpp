// Formulas of reductions.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/native/reduction/formulas.h>
#include <ATen/native/reduction/reduced_dims.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/real.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <limits>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// How many elements are reduced to one.
int64_t reduced_numel(IntArrayRef sizes, OptionalIntArrayRef dims) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  int64_t n = 1;
  if (reduces_all(dims)) {
    for (const int64_t size : sizes) n *= size;
  } else if (ndim > 0) {
    for (const int64_t dim : *dims) n *= sizes[c10::maybe_wrap_dim(dim, ndim)];
  }
  return n;
}

}  // namespace

// -------------------- sum, mean, var

Tensor sum_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims, bool keepdim) {
  return restore_reduced_dims(grad, dims, keepdim, static_cast<int64_t>(sizes.size())).expand_symint(sizes);
}

Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims, bool keepdim) {
  // The mean of an empty tensor has no elements to distribute the gradient to.
  const int64_t n = std::max<int64_t>(reduced_numel(C10_AS_INTARRAYREF_SLOW(sizes), dims), 1);
  return sum_backward(grad.div(n), sizes, dims, keepdim);
}

Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes) {
  return mean_backward(grad, sizes, std::nullopt, /*keepdim=*/false);
}

namespace {

// 2 / (n - correction), infinite where there are no degrees of freedom left.
double var_factor(const Tensor& self, OptionalIntArrayRef dims, const std::optional<Scalar>& correction) {
  const double lost = correction.has_value() ? correction->toDouble() : 1.0;
  return 2.0 / std::max(static_cast<double>(reduced_numel(self.sizes(), dims)) - lost, 0.0);
}

}  // namespace

Tensor var_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                    const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor scaled = grad.mul(var_factor(self, dims, correction));
  const Tensor centred = self.sub(self.mean(dims, /*keepdim=*/true));
  return restore_reduced_dims(scaled, dims, keepdim, self.dim()).mul(centred);
}

Tensor var_jvp(const Tensor& self_p, const Tensor& self_t, OptionalIntArrayRef dims,
               const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor centred = self_p.sub(self_p.mean(dims, /*keepdim=*/true));
  const Tensor moved = handle_r_to_c(at::kDouble, maybe_conj(centred).mul(self_t));
  return moved.sum(dims, keepdim).mul(var_factor(self_p, dims, correction));
}

namespace {

// The divisor of the gradient. A deviation of 0 gives a gradient of 0, to any order.
Tensor twice_or_infinite(const Tensor& deviation) {
  return deviation.mul(2).masked_fill(deviation.eq(0), std::numeric_limits<double>::infinity());
}

}  // namespace

Tensor std_backward(const Tensor& result, const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                    const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor of_variance = grad.div(twice_or_infinite(result));
  return var_backward(of_variance, self, dims, correction, keepdim);
}

Tensor std_jvp(const Tensor& result, const Tensor& self_p, const Tensor& self_t, OptionalIntArrayRef dims,
               const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor of_variance = var_jvp(self_p, self_t, dims, correction, keepdim);
  return of_variance.div(twice_or_infinite(result));
}

// -------------------- prod

namespace {

// For each element of the last dimension, the product of the others: up and down a tree of pairs, without
// division, so that zeros need no special cases.
Tensor products_of_others(const Tensor& t) {
  const int64_t n = t.size(-1);
  if (n == 0) return t;
  if (n == 1) return at::ones_like(t);
  if (n == 2) return t.flip({-1});
  if (n % 2 == 1) {
    const Tensor rest = t.narrow(-1, 0, n - 1), last = t.narrow(-1, n - 1, 1);
    return at::cat({products_of_others(rest).mul(last), rest.prod(-1, /*keepdim=*/true)}, -1);
  }
  at::DimVector sizes(t.sizes().begin(), t.sizes().end());
  sizes.back() = n / 2;
  sizes.push_back(2);
  const Tensor pairs = t.reshape(sizes);
  const Tensor others = products_of_others(pairs.select(-1, 0).mul(pairs.select(-1, 1)));
  return others.unsqueeze(-1).mul(pairs.flip({-1})).reshape(t.sizes());
}

Tensor prod_slope(const Tensor& self) { return products_of_others(self.reshape({-1})).reshape(self.sizes()); }

Tensor prod_slope(const Tensor& self, int64_t dim) {
  if (self.dim() == 0) return at::ones_like(self);
  return products_of_others(self.transpose(dim, -1)).transpose(dim, -1);
}

}  // namespace

Tensor prod_backward(const Tensor& grad, const Tensor& self) {
  return grad.mul(maybe_conj(prod_slope(self)));
}

Tensor prod_backward(const Tensor& grad, const Tensor& self, int64_t dim, bool keepdim) {
  return restore_reduced_dims(grad, dim, keepdim, self.dim()).mul(maybe_conj(prod_slope(self, dim)));
}

Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st) {
  return prod_slope(self_p.to(result_st)).mul(self_t.to(result_st)).sum();
}

Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st, int64_t dim, bool keepdim) {
  return prod_slope(self_p.to(result_st), dim).mul(self_t.to(result_st)).sum(dim, keepdim);
}

// -------------------- amax and amin, logsumexp

Tensor amaxamin_backward(const Tensor& grad, const Tensor& self, const Tensor& result, IntArrayRef dims,
                         bool keepdim) {
  const Tensor chosen = self.eq(restore_reduced_dims(result, dims, keepdim, self.dim()));
  const Tensor share = restore_reduced_dims(grad, dims, keepdim, self.dim());
  return share.div(chosen.sum(dims, /*keepdim=*/true)).mul(chosen);
}

Tensor amaxamin_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result, IntArrayRef dims,
                    bool keepdim) {
  const Tensor chosen = self_p.eq(restore_reduced_dims(result, dims, keepdim, self_p.dim()));
  return at::where(chosen, self_t, 0).sum(dims, keepdim).div(chosen.sum(dims, keepdim));
}

Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, IntArrayRef dims,
                          bool keepdim) {
  const Tensor share = self.sub(restore_reduced_dims(result, dims, keepdim, self.dim())).exp();
  return restore_reduced_dims(grad, dims, keepdim, self.dim()).mul(maybe_conj(share));
}

Tensor logsumexp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result, IntArrayRef dims,
                     bool keepdim) {
  const Tensor share = self_p.sub(restore_reduced_dims(result, dims, keepdim, self_p.dim())).exp();
  return share.mul(self_t).sum(dims, keepdim);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
