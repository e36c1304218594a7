// Derivatives of renorm, which multiplies by a factor that depends on the norm.
#include <ATen/OpMathType.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/formulas.h>
#include <ATen/native/normalization/renorm.h>
#include <ATen/native/reduction/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

Tensor norm_of(const Tensor& self, const Scalar& p, at::IntArrayRef dims) {
  return at::linalg_vector_norm(self, p, dims, /*keepdim=*/true, at::toOpMathType(self.scalar_type()));
}

// The factor's derivative by the norm.
Tensor slope(const Tensor& norm, const Scalar& maxnorm) {
  const Tensor steep = norm.add(at::native::renorm_epsilon).pow(-2).mul(-maxnorm);
  return at::where(norm.gt(maxnorm), steep, at::zeros_like(norm));
}

}  // namespace

Tensor renorm_backward(const Tensor& grad, const Tensor& self, const Scalar& p, int64_t dim,
                       const Scalar& maxnorm) {
  const at::DimVector dims = at::native::dims_besides(dim, self.dim());
  const Tensor norm = norm_of(self, p, dims), factor = at::native::renorm_factor(norm, maxnorm);
  const Tensor along = real_part(maybe_conj(self).mul(grad)).sum(dims, /*keepdim=*/true);
  const Tensor grad_norm = along.mul(slope(norm, maxnorm));
  const Tensor by_norm = norm_backward(grad_norm, self, p, norm, dims, /*keepdim=*/true);
  return by_norm.add(grad.mul(factor)).to(self.scalar_type());
}

Tensor renorm_jvp(const Tensor& self_p, const Tensor& self_t, const Scalar& p, int64_t dim,
                  const Scalar& maxnorm) {
  const at::DimVector dims = at::native::dims_besides(dim, self_p.dim());
  const Tensor norm = norm_of(self_p, p, dims), factor = at::native::renorm_factor(norm, maxnorm);
  const Tensor moved = norm_jvp(self_p, self_t, p, norm, dims, /*keepdim=*/true).mul(slope(norm, maxnorm));
  return self_t.mul(factor).add(self_p.mul(moved)).to(self_p.scalar_type());
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
