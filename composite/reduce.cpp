// Entry points of reductions: what is done with empty inputs, which dtype is folded, and the composites of
// them.
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>

#include <limits>

#include <ATen/ops/add.h>
#include <ATen/ops/all.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/amax_native.h>
#include <ATen/ops/amin_native.h>
#include <ATen/ops/any.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/argmax_native.h>
#include <ATen/ops/argmin_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mean_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/prod_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zero.h>

namespace at::native {

DEFINE_DISPATCH(sum_stub);
DEFINE_DISPATCH(mean_stub);
DEFINE_DISPATCH(prod_stub);
DEFINE_DISPATCH(and_stub);
DEFINE_DISPATCH(or_stub);
DEFINE_DISPATCH(min_values_stub);
DEFINE_DISPATCH(max_values_stub);
DEFINE_DISPATCH(argmax_stub);
DEFINE_DISPATCH(argmin_stub);
DEFINE_DISPATCH(std_var_stub);
DEFINE_DISPATCH(cumsum_stub);

namespace {

// The input in the dtype that is folded: the result's, except that CPU kernels widen integers to int64
// themselves.
c10::MaybeOwned<Tensor> in_result_dtype(const Tensor& self, const Tensor& result) {
  const ScalarType own = self.scalar_type();
  const bool widened =
      self.is_cpu() && result.scalar_type() == kLong && isIntegralType(own, /*includeBool=*/true);
  if (own == result.scalar_type() || widened) {
    return c10::MaybeOwned<Tensor>::borrowed(self);
  }
  return c10::MaybeOwned<Tensor>::owned(self.to(result.scalar_type()));
}

template <class Stub>
void accumulate(Stub& stub, const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const Tensor& result,
                const Scalar& of_nothing) {
  if (self.numel() == 0) {
    result.fill_(of_nothing);
    return;
  }
  const auto in = in_result_dtype(self, result);
  auto iter = meta::make_reduction(*in, result, dim, keepdim);
  stub(iter.device_type(), iter);
}

}  // namespace

// -------------------- sum

TORCH_IMPL_FUNC(sum_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> /*dtype*/,
 const Tensor& result) {
  accumulate(sum_stub, self, dim, keepdim, result, 0);
}

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::sum(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

TORCH_IMPL_FUNC(cumsum_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> /*dtype*/, const Tensor& result) {
  at::assert_no_internal_overlap(result);
  if (self.dim() == 0) {
    result.copy_(self);
  } else if (self.numel() != 0) {
    const Tensor in = self.to(result.scalar_type());
    cumsum_stub(self.device().type(), result, in, maybe_wrap_dim(dim, self.dim()));
  }
}

// -------------------- mean

TORCH_IMPL_FUNC(mean_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> /*dtype*/,
 const Tensor& result) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scalar of_nothing = result.is_complex() ? Scalar(c10::complex<double>(nan, nan)) : Scalar(nan);
  accumulate(mean_stub, self, dim, keepdim, result, of_nothing);
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
  accumulate(prod_stub, self, dim, keepdim, result, 1);
}

Tensor prod(const Tensor& self, std::optional<ScalarType> opt_dtype) {
  const ScalarType dtype = get_dtype_from_self(self, opt_dtype, /*promote_integers=*/true);
  Tensor result = at::empty({}, self.options().dtype(dtype));
  if (!self.is_meta()) {
    accumulate(prod_stub, self, std::nullopt, /*keepdim=*/false, result, 1);
  }
  return result;
}

// -------------------- extrema

TORCH_IMPL_FUNC(amax_out)(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  if (self.numel() != 0) {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    max_values_stub(iter.device_type(), iter);
  }
}

TORCH_IMPL_FUNC(amin_out)(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  if (self.numel() != 0) {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    min_values_stub(iter.device_type(), iter);
  }
}

namespace {

template <class Stub>
void position_of_extremum(Stub& stub, const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                          const Tensor& result) {
  if (self.numel() == 0) {
    return;
  }
  if (dim.has_value() && self.dim() > 0 ? self.size(*dim) == 1 : self.numel() == 1) {
    result.zero_();
  } else if (dim.has_value()) {
    auto iter = meta::make_reduction(self, result, *dim, keepdim);
    stub(iter.device_type(), iter);
  } else {
    // Positions count the elements in the order of the indices.
    const int64_t only_dim[] = {0};
    auto iter = meta::make_reduction(self.reshape({-1}), result, IntArrayRef(only_dim), /*keepdim=*/false);
    stub(iter.device_type(), iter);
  }
}

}  // namespace

TORCH_IMPL_FUNC(argmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  position_of_extremum(argmax_stub, self, dim, keepdim, result);
}

TORCH_IMPL_FUNC(argmin_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  position_of_extremum(argmin_stub, self, dim, keepdim, result);
}

// -------------------- any, all

namespace {

template <class Stub>
void fold_logic(Stub& stub, const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const Tensor& result,
                bool of_nothing) {
  if (self.numel() == 0) {
    result.fill_(of_nothing);
  } else if (dim.has_value() && dim->empty()) {
    // Nothing is folded: every element tells for itself.
    result.copy_(at::ne(self, 0));
  } else {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    stub(iter.device_type(), iter);
  }
}

// For any backend that has the operator for one dimension.
template <class OneDim>
Tensor fold_dims(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const OneDim& fold_dim) {
  const DimMask mask = make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true);
  Tensor result = self;
  for (int64_t d = 0; d < self.dim(); d++) {
    if (mask[d]) {
      result = fold_dim(result, d);
    }
  }
  if (mask.none()) {
    return self.scalar_type() == kByte ? at::ne(self, 0).to(kByte) : at::ne(self, 0);
  }
  return keepdim ? result : result.reshape(shape_from_dim_mask(self, mask, /*keepdim=*/false));
}

Tensor& copy_into(const Tensor& value, Tensor& result) {
  resize_output(result, value.sizes());
  return result.copy_(value);
}

}  // namespace

TORCH_IMPL_FUNC(any_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  fold_logic(or_stub, self, dim, keepdim, result, false);
}
TORCH_IMPL_FUNC(any_dims_out)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                              const Tensor& result) {
  fold_logic(or_stub, self, dim, keepdim, result, false);
}
TORCH_IMPL_FUNC(any_all_out)(const Tensor& self, const Tensor& result) {
  fold_logic(or_stub, self, std::nullopt, false, result, false);
}
TORCH_IMPL_FUNC(all_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  fold_logic(and_stub, self, dim, keepdim, result, true);
}
TORCH_IMPL_FUNC(all_dims_out)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                              const Tensor& result) {
  fold_logic(and_stub, self, dim, keepdim, result, true);
}
TORCH_IMPL_FUNC(all_all_out)(const Tensor& self, const Tensor& result) {
  fold_logic(and_stub, self, std::nullopt, false, result, true);
}

Tensor any_dims_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return fold_dims(self, dim, keepdim,
                   [](const Tensor& t, int64_t d) { return at::any(t, d, /*keepdim=*/true); });
}
Tensor& any_dims_out_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& result) {
  return copy_into(any_dims_default(self, dim, keepdim), result);
}
Tensor all_dims_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return fold_dims(self, dim, keepdim,
                   [](const Tensor& t, int64_t d) { return at::all(t, d, /*keepdim=*/true); });
}
Tensor& all_dims_out_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& result) {
  return copy_into(all_dims_default(self, dim, keepdim), result);
}

// -------------------- var

namespace {

// `result` has the reduced shape.
void fold_variance(const Tensor& self, OptionalIntArrayRef dim, double correction, bool keepdim,
                   bool take_sqrt, const Tensor& result) {
  if (self.is_meta()) {
    return;
  }
  if (self.numel() == 0) {
    result.fill_(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (self.is_complex()) {
    // The variance of a complex number is that of its parts together.
    const Tensor parts = self.unsqueeze(-1).view(c10::toRealValueType(self.scalar_type()));
    const Scalar same(correction);
    result.copy_(at::var(parts.select(-1, 0), dim, same, keepdim));
    result.add_(at::var(parts.select(-1, 1), dim, same, keepdim));
    if (take_sqrt) result.sqrt_();
    return;
  }
  auto iter = meta::make_reduction(self, result, dim, keepdim);
  const auto folded = self.numel() / std::max<int64_t>(result.numel(), 1);
  if (correction >= static_cast<double>(folded)) {
    TORCH_WARN(take_sqrt ? "std" : "var",
               "(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
               "(input numel "
               "divided by output numel).");
  }
  std_var_stub(iter.device_type(), iter, correction, take_sqrt);
}

DimVector variance_shape(const char* name, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  TORCH_CHECK(self.is_floating_point() || self.is_complex(), name,
              "(): only floating point and complex dtypes are supported, got ", self.scalar_type());
  return shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim);
}

// The variance, or its root.
Tensor spread(const char* name, const Tensor& self, OptionalIntArrayRef dim,
              const std::optional<Scalar>& correction, bool keepdim, bool take_sqrt) {
  const DimVector shape = variance_shape(name, self, dim, keepdim);
  Tensor result = at::empty(shape, self.options().dtype(c10::toRealValueType(self.scalar_type())));
  const double lost = correction.has_value() ? correction->toDouble() : 1.0;
  fold_variance(self, dim, lost, keepdim, take_sqrt, result);
  return result;
}

Tensor& spread_out(const char* name, const Tensor& self, OptionalIntArrayRef dim,
                   const std::optional<Scalar>& correction, bool keepdim, bool take_sqrt, Tensor& result) {
  const DimVector shape = variance_shape(name, self, dim, keepdim);
  const ScalarType dtype = c10::toRealValueType(self.scalar_type());
  TORCH_CHECK(c10::canCast(dtype, result.scalar_type()), "result type ", dtype,
              " can't be cast to the desired output type ", result.scalar_type());
  resize_output(result, shape);
  if (result.scalar_type() == dtype) {
    const double lost = correction.has_value() ? correction->toDouble() : 1.0;
    fold_variance(self, dim, lost, keepdim, take_sqrt, result);
  } else {
    result.copy_(spread(name, self, dim, correction, keepdim, take_sqrt));
  }
  return result;
}

std::optional<Scalar> correction_for(bool unbiased) { return Scalar(unbiased ? 1 : 0); }

}  // namespace

Tensor var(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  return spread("var", self, dim, correction, keepdim, /*take_sqrt=*/false);
}

Tensor& var_out(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                bool keepdim, Tensor& result) {
  return spread_out("var", self, dim, correction, keepdim, /*take_sqrt=*/false, result);
}

Tensor var(const Tensor& self, bool unbiased) {
  return at::var(self, /*dim=*/std::nullopt, correction_for(unbiased));
}

Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return at::var(self, dim, correction_for(unbiased), keepdim);
}

Tensor& var_out(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim, Tensor& result) {
  return at::var_outf(self, dim, correction_for(unbiased), keepdim, result);
}

Tensor std(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  return spread("std", self, dim, correction, keepdim, /*take_sqrt=*/true);
}

Tensor& std_out(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                bool keepdim, Tensor& result) {
  return spread_out("std", self, dim, correction, keepdim, /*take_sqrt=*/true, result);
}

Tensor std(const Tensor& self, bool unbiased) {
  return at::std(self, /*dim=*/std::nullopt, correction_for(unbiased));
}

Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return at::std(self, dim, correction_for(unbiased), keepdim);
}

Tensor& std_out(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim, Tensor& result) {
  return at::std_outf(self, dim, correction_for(unbiased), keepdim, result);
}

}  // namespace at::native
