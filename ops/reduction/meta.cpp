// Meta functions of reductions.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>

#include <ATen/ops/all_meta.h>
#include <ATen/ops/amax_meta.h>
#include <ATen/ops/amin_meta.h>
#include <ATen/ops/any_meta.h>
#include <ATen/ops/argmax_meta.h>
#include <ATen/ops/argmin_meta.h>
#include <ATen/ops/mean_meta.h>
#include <ATen/ops/prod_meta.h>
#include <ATen/ops/sum_meta.h>

namespace at::meta {

// -------------------- sum, mean, prod

TORCH_META_FUNC2(sum, dim_IntList)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  resize_reduction(*this, self, dim, keepdim,
                   native::infer_dtype_from_optional(self, dtype, maybe_get_output()));
}

TORCH_META_FUNC2(mean, dim)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  const ScalarType in_dtype = dtype.value_or(self.scalar_type());
  TORCH_CHECK(isFloatingType(in_dtype) || isComplexType(in_dtype), "mean(): could not infer output dtype. ",
              dtype.has_value() ? "Optional" : "Input",
              " dtype must be either a floating point or complex dtype. Got: ", in_dtype);
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!out.defined() || !isIntegralType(out.scalar_type(), /*includeBool=*/true),
              "mean(): result type ", in_dtype, " can't be cast to the desired output type ",
              out.scalar_type());
  resize_reduction(*this, self, dim, keepdim,
                   native::infer_dtype_from_optional(self, dtype, maybe_get_output()));
}

TORCH_META_FUNC2(prod, dim_int)
(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  resize_reduction(*this, self, dim, keepdim,
                   native::infer_dtype_from_optional(self, dtype, maybe_get_output()));
}

// -------------------- extrema

namespace {

void extremum_meta(impl::MetaBase& meta, const char* name, const Tensor& self, IntArrayRef dim, bool keepdim,
                   const Tensor& out) {
  TORCH_CHECK(!out.defined() || self.scalar_type() == out.scalar_type(),
              "Expected the dtype for input and out to match, but got ", self.scalar_type(),
              " for input's dtype and ", out.scalar_type(), " for out's dtype.");
  if (self.numel() == 0) {
    native::zero_numel_check_dims(self, dim, name);
  }
  resize_reduction(meta, self, dim, keepdim, self.scalar_type());
}

void position_meta(impl::MetaBase& meta, const char* name, const Tensor& self, std::optional<int64_t> dim,
                   bool keepdim) {
  TORCH_CHECK(!self.is_complex() && self.scalar_type() != kBool, name, ": does not support ",
              self.is_complex() ? "complex" : "bool", " input");
  if (!dim.has_value()) {
    TORCH_CHECK_INDEX(self.numel() != 0, name,
                      ": Expected reduction dim to be specified for input.numel() == 0.");
    resize_reduction(meta, self, std::nullopt, keepdim, kLong);
    return;
  }
  const int64_t wrapped = maybe_wrap_dim(*dim, self.dim());
  native::zero_numel_check_dims(self, wrapped, name);
  resize_reduction(meta, self, wrapped, keepdim, kLong);
}

}  // namespace

TORCH_META_FUNC(amax)(const Tensor& self, IntArrayRef dim, bool keepdim) {
  extremum_meta(*this, "amax()", self, dim, keepdim, maybe_get_output());
}

TORCH_META_FUNC(amin)(const Tensor& self, IntArrayRef dim, bool keepdim) {
  extremum_meta(*this, "amin()", self, dim, keepdim, maybe_get_output());
}

TORCH_META_FUNC(argmax)(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  position_meta(*this, "argmax()", self, dim, keepdim);
}

TORCH_META_FUNC(argmin)(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  position_meta(*this, "argmin()", self, dim, keepdim);
}

// -------------------- any, all

namespace {

// The result is bool; uint8 tensors, which were masks once, give uint8.
void logic_meta(impl::MetaBase& meta, const char* name, const Tensor& self, OptionalIntArrayRef dim,
                bool keepdim, const Tensor& out, bool allow_empty_dims = false) {
  TORCH_CHECK(!out.defined() || out.scalar_type() == kBool || out.scalar_type() == kByte, name,
              " only supports bool tensor for result, got: ", out.scalar_type());
  const ScalarType out_dtype = out.defined()                 ? out.scalar_type()
                               : self.scalar_type() == kByte ? kByte
                                                             : kBool;
  resize_reduction(meta, self, dim, keepdim, out_dtype, allow_empty_dims);
}

}  // namespace

TORCH_META_FUNC2(any, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  logic_meta(*this, "any", self, dim, keepdim, maybe_get_output());
}

TORCH_META_FUNC2(any, dims)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  logic_meta(*this, "any", self, dim, keepdim, maybe_get_output(), /*allow_empty_dims=*/true);
}

TORCH_META_FUNC(any)(const Tensor& self) {
  logic_meta(*this, "any", self, std::nullopt, false, maybe_get_output());
}

TORCH_META_FUNC2(all, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  logic_meta(*this, "all", self, dim, keepdim, maybe_get_output());
}

TORCH_META_FUNC2(all, dims)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  logic_meta(*this, "all", self, dim, keepdim, maybe_get_output(), /*allow_empty_dims=*/true);
}

TORCH_META_FUNC(all)(const Tensor& self) {
  logic_meta(*this, "all", self, std::nullopt, false, maybe_get_output());
}

}  // namespace at::meta
