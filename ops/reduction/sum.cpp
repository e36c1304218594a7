// sum, mean, prod and nansum: empty inputs, and the dtype of the accumulation.
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <limits>

#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mean_native.h>
#include <ATen/ops/nansum.h>
#include <ATen/ops/nansum_native.h>
#include <ATen/ops/prod_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/sum_to_size_native.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(accumulate_stub);

namespace {

// The input in the result's dtype, except that kernels widen integers to int64 themselves.
c10::MaybeOwned<Tensor> in_result_dtype(const Tensor& self, const Tensor& result) {
  const ScalarType own = self.scalar_type();
  const bool widened = result.scalar_type() == kLong && isIntegralType(own, /*includeBool=*/true);
  if (own == result.scalar_type() || widened) {
    return c10::MaybeOwned<Tensor>::borrowed(self);
  }
  return c10::MaybeOwned<Tensor>::owned(self.to(result.scalar_type()));
}

void accumulate(Accumulation kind, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                const Tensor& result, const Scalar& of_nothing) {
  if (self.numel() == 0) {
    result.fill_(of_nothing);
    return;
  }
  const auto in = in_result_dtype(self, result);
  auto iter = meta::make_reduction(*in, result, dim, keepdim);
  accumulate_stub(iter.device_type(), iter, kind);
}

}  // namespace

// -------------------- sum

TORCH_IMPL_FUNC(sum_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> /*dtype*/,
 const Tensor& result) {
  accumulate(Accumulation::Sum, self, dim, keepdim, result, 0);
}

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::sum(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

Tensor sum_to_size_symint(const Tensor& self, c10::SymIntArrayRef size) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  TORCH_CHECK(is_expandable_to(sizes, self.sizes()), "size {", sizes, "} is not expandable to size {",
              self.sizes(), "}.");
  // As in any full sum, bools are counted.
  return sizes.empty() ? at::sum(self) : sum_to(self, sizes);
}

// -------------------- mean

TORCH_IMPL_FUNC(mean_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> /*dtype*/,
 const Tensor& result) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scalar of_nothing = result.is_complex() ? Scalar(c10::complex<double>(nan, nan)) : Scalar(nan);
  accumulate(Accumulation::Mean, self, dim, keepdim, result, of_nothing);
}

Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::mean(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

Tensor& mean_dtype_out(const Tensor& self, std::optional<ScalarType> dtype, Tensor& result) {
  return at::mean_outf(self, IntArrayRef{}, /*keepdim=*/false, dtype, result);
}

// -------------------- prod

TORCH_IMPL_FUNC(prod_out)
(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> /*dtype*/, const Tensor& result) {
  accumulate(Accumulation::Prod, self, dim, keepdim, result, 1);
}

Tensor prod(const Tensor& self, std::optional<ScalarType> opt_dtype) {
  const ScalarType dtype = get_dtype_from_self(self, opt_dtype, /*promote_integers=*/true);
  Tensor result = at::empty({}, self.options().dtype(dtype));
  if (!self.is_meta()) {
    accumulate(Accumulation::Prod, self, std::nullopt, /*keepdim=*/false, result, 1);
  }
  return result;
}

// -------------------- nansum

Tensor& nansum_out(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> opt_dtype, Tensor& result) {
  TORCH_CHECK(!self.is_complex(), "nansum does not support complex inputs");
  if (isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::sum_outf(self, dim, keepdim, opt_dtype, result);
  }
  const ScalarType dtype = infer_dtype_from_optional(self, opt_dtype, result);
  if (!isFloatingType(dtype) || dtype != result.scalar_type()) {
    return at::sum_outf(self.masked_fill(self.isnan(), 0), dim, keepdim, opt_dtype, result);
  }
  resize_output(result, shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim));
  if (!result.is_meta()) accumulate(Accumulation::NanSum, self, dim, keepdim, result, 0);
  return result;
}

Tensor nansum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
              std::optional<ScalarType> opt_dtype) {
  const ScalarType dtype = get_dtype_from_self(self, opt_dtype, /*promote_integers=*/true);
  Tensor result = at::empty({0}, self.options().dtype(dtype));
  return at::nansum_outf(self, dim, keepdim, dtype, result);
}

}  // namespace at::native
