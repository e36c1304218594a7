// linalg_vector_norm, norm, and sums of powers.
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>
#include <c10/core/Scalar.h>

#include <cmath>

#include <ATen/ops/abs.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/linalg__powsum_native.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linalg_vector_norm_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/norm_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(norm_stub);

namespace {

Scalar degree(const OptionalScalarRef& p) { return p.has_value() ? *p : Scalar(2); }

// `sizes` are |x|, in the compute type.
void store_norm(const Tensor& sizes, double ord, OptionalIntArrayRef dim, bool keepdim,
                const Tensor& result) {
  if (std::isinf(ord) || ord == 0 || ord == 1 || ord == 2) {
    auto iter = meta::make_reduction(sizes, result, dim, keepdim);
    norm_stub(iter.device_type(), iter, ord);
    return;
  }
  // Powers overflow 16-bit floats.
  const ScalarType dtype = at::toOpMathType(sizes.scalar_type());
  result.copy_(sizes.to(dtype).pow(ord).sum(dim, keepdim).pow(1 / ord));
}

}  // namespace

TORCH_IMPL_FUNC(linalg_vector_norm_out)
(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
 std::optional<ScalarType> dtype, const Tensor& result) {
  if (self.numel() == 0) {
    result.fill_(0);
    return;
  }
  const Tensor in = self.to(dtype.value_or(self.scalar_type()));
  const double p = ord.toDouble();
  if (self.numel() == result.numel()) {  // one element each: powers could overflow
    result.copy_((p == 0 ? in.ne(0) : in.abs()).reshape(result.sizes()));
    return;
  }
  // The kernels take absolute values themselves.
  const bool is_kernels = !in.is_complex() && (std::isinf(p) || p == 0 || p == 1 || p == 2);
  store_norm(is_kernels ? in : in.abs(), p, dim, keepdim, result);
}

TORCH_IMPL_FUNC(norm_out)
(const Tensor& self, OptionalScalarRef p, IntArrayRef dim, bool keepdim, const Tensor& result) {
  at::linalg_vector_norm_outf(self, degree(p), dim, keepdim, std::nullopt, const_cast<Tensor&>(result));
}

TORCH_IMPL_FUNC(norm_dtype_out)
(const Tensor& self, OptionalScalarRef p, IntArrayRef dim, bool keepdim, ScalarType dtype,
 const Tensor& result) {
  at::linalg_vector_norm_outf(self, degree(p), dim, keepdim, dtype, const_cast<Tensor&>(result));
}

Tensor norm(const Tensor& self, const Scalar& p) { return at::linalg_vector_norm(self, p); }

Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype) {
  return at::linalg_vector_norm(self, p.value_or(2), std::nullopt, /*keepdim=*/false, dtype);
}

Tensor linalg__powsum(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
                      std::optional<ScalarType> dtype) {
  const ScalarType own = dtype.value_or(self.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(own) || isComplexType(own), "\"powsum\" not implemented for '",
                              own, "'");
  const Tensor sizes = self.to(own).abs();
  const Tensor sum = sizes.to(at::toOpMathType(sizes.scalar_type())).pow(ord).sum(dim, keepdim);
  return sum.to(sizes.scalar_type());
}

}  // namespace at::native
