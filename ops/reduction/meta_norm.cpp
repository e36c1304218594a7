// Meta functions of vector norms.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/norm_dtype.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <c10/core/Scalar.h>

#include <cmath>

#include <ATen/ops/linalg_vector_norm_meta.h>
#include <ATen/ops/norm_meta.h>

namespace at::native {

namespace {

const char* domain(ScalarType dtype) { return c10::isComplexType(dtype) ? "complex" : "real"; }

}  // namespace

void check_norm_dtype(const char* name, std::optional<ScalarType> dtype, ScalarType own) {
  TORCH_CHECK(c10::isFloatingType(own) || c10::isComplexType(own), name,
              ": Expected a floating point or complex tensor as input. Got ", own);
  if (!dtype.has_value()) return;
  TORCH_CHECK(c10::isFloatingType(*dtype) || c10::isComplexType(*dtype), name,
              ": dtype should be floating point or complex. Got ", *dtype);
  TORCH_CHECK(c10::isComplexType(*dtype) == c10::isComplexType(own), name, ": dtype should be ", domain(own),
              " for ", domain(own), " inputs, but got ", *dtype);
  TORCH_CHECK(c10::promoteTypes(own, *dtype) == *dtype, name, ": the dtype of the input (", own,
              ") should be convertible without narrowing to the specified dtype (", *dtype, ")");
}

}  // namespace at::native

namespace at::meta {

namespace {

// An empty tensor has no extremum, nor a negative power of a sum.
void check_not_empty(const char* name, const Tensor& self, double ord, OptionalIntArrayRef dim) {
  if (self.numel() != 0 || (ord >= 0 && !std::isinf(ord))) return;
  TORCH_CHECK(dim.has_value() && !dim->empty(), name, " cannot compute the ", ord,
              " norm on an empty tensor because the operation does not have an identity");
  for (const int64_t d : *dim) {
    TORCH_CHECK(self.size(d) != 0, name, " cannot compute the ", ord, " norm on the dimension ", d,
                " because this dimension is empty and the operation does not have an identity");
  }
}

void norm_meta(impl::MetaBase& meta, const char* name, const Tensor& self, double ord,
               OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  native::check_norm_dtype(name, dtype, self.scalar_type());
  check_not_empty(name, self, ord, dim);
  resize_reduction(meta, self, dim, keepdim, c10::toRealValueType(dtype.value_or(self.scalar_type())));
}

double degree(const OptionalScalarRef& p) { return p.has_value() ? p->toDouble() : 2.0; }

}  // namespace

TORCH_META_FUNC(linalg_vector_norm)
(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
 std::optional<ScalarType> dtype) {
  norm_meta(*this, "linalg.vector_norm", self, ord.toDouble(), dim, keepdim, dtype);
}

TORCH_META_FUNC2(norm, ScalarOpt_dim)
(const Tensor& self, OptionalScalarRef p, IntArrayRef dim, bool keepdim) {
  norm_meta(*this, "norm", self, degree(p), dim, keepdim, std::nullopt);
}

TORCH_META_FUNC2(norm, ScalarOpt_dim_dtype)
(const Tensor& self, OptionalScalarRef p, IntArrayRef dim, bool keepdim, ScalarType dtype) {
  norm_meta(*this, "norm", self, degree(p), dim, keepdim, dtype);
}

}  // namespace at::meta
