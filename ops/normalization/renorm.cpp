// renorm: the slices of a dimension whose norm is too great are scaled down to it.
#include <ATen/OpMathType.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/renorm.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/renorm_meta.h>
#include <ATen/ops/renorm_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/where.h>

namespace at::meta {

TORCH_META_FUNC(renorm)(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  TORCH_CHECK(!p.isComplex(), "renorm: p must be real-valued");
  TORCH_CHECK(p.toDouble() > 0, "renorm: non-positive-norm not supported");
  TORCH_CHECK(!maxnorm.isComplex(), "renorm: maxnorm must be real-valued");
  TORCH_CHECK(maxnorm.toDouble() >= 0, "renorm: expected maxnorm to be >= 0 but got ", maxnorm.toDouble());
  TORCH_CHECK(self.dim() > 1, "renorm: input needs at least 2 dimensions, got ", self.dim(), " dimensions");
  TORCH_CHECK(self.is_floating_point() || self.is_complex(),
              "renorm: Expected a floating point or complex tensor as input. Got ", self.scalar_type());
  maybe_wrap_dim(dim, self.dim());
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta

namespace at::native {

DimVector dims_besides(int64_t dim, int64_t ndim) {
  const int64_t kept = maybe_wrap_dim(dim, ndim);
  DimVector result;
  for (int64_t d = 0; d < ndim; ++d) {
    if (d != kept) result.push_back(d);
  }
  return result;
}

Tensor renorm_factor(const Tensor& norm, const Scalar& maxnorm) {
  return at::where(norm.gt(maxnorm), norm.add(renorm_epsilon).reciprocal().mul(maxnorm), at::ones_like(norm));
}

TORCH_IMPL_FUNC(renorm_out)
(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  const Tensor norm = at::linalg_vector_norm(self, p, dims_besides(dim, self.dim()), /*keepdim=*/true,
                                             at::toOpMathType(self.scalar_type()));
  const Tensor factor = renorm_factor(norm, maxnorm).to(c10::toRealValueType(self.scalar_type()));
  at::mul_outf(self, factor, const_cast<Tensor&>(out));
}

}  // namespace at::native
