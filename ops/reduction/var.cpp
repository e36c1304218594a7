// var and std.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <limits>

namespace at::native {

DEFINE_DISPATCH(std_var_stub);

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
    // The variance of a complex tensor is the sum of its parts' variances.
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

// var or std.
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
