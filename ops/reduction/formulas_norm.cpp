// Derivatives of vector norms: the norm's gradient times a unit vector in the direction of self.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/formulas.h>
#include <ATen/native/reduction/reduced_dims.h>
#include <c10/core/Scalar.h>

#include <cmath>
#include <limits>

#include <ATen/ops/abs.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sgn.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

double degree_of(const std::optional<Scalar>& p) { return p.has_value() ? p->toDouble() : 2.0; }

// The derivative of the norm by each element; `norm` has the dimensions of self.
Tensor slope(const Tensor& self, double p, const Tensor& norm, OptionalIntArrayRef dims) {
  if (p == 1) return self.sgn();
  if (p == 2) return self.div(norm.masked_fill(norm.eq(0), std::numeric_limits<double>::infinity()));
  if (std::isinf(p)) {
    const Tensor size = self.abs();
    const Tensor chosen = size.eq(norm).logical_or(size.isnan());
    return self.sgn().mul(chosen).div(chosen.sum(dims, /*keepdim=*/true));
  }
  // sgn(x) (|x| / norm)^(p - 1), without 0 to a negative power
  const Tensor share = self.abs().div(norm);
  const Tensor none = p < 1 ? self.eq(0) : norm.eq(0);
  return self.sgn().mul(share.pow(p - 1).masked_fill(none, 0));
}

}  // namespace

Tensor norm_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& p,
                     const Tensor& norm, OptionalIntArrayRef dims, bool keepdim) {
  const double degree = degree_of(p);
  if (degree == 0) return at::zeros_like(self);
  const Tensor in = self.to(c10::promoteTypes(self.scalar_type(), grad.scalar_type()));
  const Tensor length = restore_reduced_dims(norm, dims, keepdim, self.dim());
  const Tensor share = restore_reduced_dims(grad, dims, keepdim, self.dim());
  return share.mul(slope(in, degree, length, dims)).to(self.scalar_type());
}

Tensor norm_jvp(const Tensor& self_p, const Tensor& self_t, const std::optional<Scalar>& p,
                const Tensor& norm, OptionalIntArrayRef dims, bool keepdim) {
  const double degree = degree_of(p);
  if (degree == 0) return at::zeros_like(norm);
  const Tensor in = self_p.to(c10::promoteTypes(self_p.scalar_type(), norm.scalar_type()));
  const Tensor length = restore_reduced_dims(norm, dims, keepdim, self_p.dim());
  const Tensor along = slope(in, degree, length, dims).mul(maybe_conj(self_t));
  const Tensor moved = handle_r_to_c(norm.scalar_type(), along);
  return moved.sum(dims, keepdim).to(norm.scalar_type());
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
