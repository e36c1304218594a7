// Meta functions of scatter, scatter_add, scatter_reduce, index_add, index_copy and index_reduce: self's
// shape, contiguous.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/index_add_meta.h>
#include <ATen/ops/index_copy_meta.h>
#include <ATen/ops/index_reduce_meta.h>
#include <ATen/ops/scatter_add_meta.h>
#include <ATen/ops/scatter_meta.h>
#include <ATen/ops/scatter_reduce_meta.h>

#include <algorithm>

namespace at::meta {

namespace {

void check_index(const char* name, const Tensor& index) {
  TORCH_CHECK(index.numel() == 0 || index.scalar_type() == kLong || index.scalar_type() == kInt, name,
              "(): Expected dtype int32/int64 for index, got ", index.scalar_type());
}

void check_dims(const Tensor& self, const Tensor& other, const char* name) {
  TORCH_CHECK(std::max<int64_t>(self.dim(), 1) == std::max<int64_t>(other.dim(), 1), name,
              " tensor must have the same number of dimensions as self tensor, ", self.dim(), ", but has ",
              other.dim());
}

// index must be no larger than src, and than self except in dim.
void check_scatter_shapes(const Tensor& self, int64_t dim, const Tensor& index, const Tensor* src) {
  if (index.numel() == 0) return;
  check_dims(self, index, "Index");
  if (src != nullptr) check_dims(self, *src, "Source");
  const auto size_of = [](const Tensor& t, int64_t d) { return t.dim() == 0 ? 1 : t.sizes()[d]; };
  for (int64_t d = 0; d < std::max<int64_t>(index.dim(), 1); ++d) {
    const int64_t size = size_of(index, d);
    const bool fits_self = d == dim || size <= size_of(self, d);
    const bool fits_src = src == nullptr || size <= size_of(*src, d);
    TORCH_CHECK(fits_self && fits_src, "Expected index ", index.sizes(), " to be no larger than self ",
                self.sizes(), " apart from dimension ", dim,
                src == nullptr ? "" : " and to be no larger than src ",
                src == nullptr ? IntArrayRef() : src->sizes());
  }
}

void check_scatter_output(const Tensor& result, const Tensor& index, const Tensor* src) {
  if (!result.defined()) return;
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, index);
  if (src != nullptr) at::assert_no_overlap(result, *src);
}

void check_scatter(const char* name, const Tensor& result, const Tensor& self, int64_t dim,
                   const Tensor& index, const Tensor* src) {
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  check_index(name, index);
  TORCH_CHECK(src == nullptr || src->scalar_type() == self.scalar_type(), name,
              "(): Expected self.dtype to be equal to src.dtype");
  check_scatter_shapes(self, wrapped, index, src);
  check_scatter_output(result, index, src);
}

void check_reduce(c10::string_view reduce) {
  TORCH_CHECK(reduce == "add" || reduce == "multiply",
              "reduce argument must be either add or multiply, got '", reduce, "'");
}

}  // namespace

TORCH_META_FUNC2(scatter, src)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  check_scatter("scatter", maybe_get_output(), self, dim, index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter, value)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar&) {
  check_scatter("scatter", maybe_get_output(), self, dim, index, nullptr);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter, reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, c10::string_view reduce) {
  check_reduce(reduce);
  check_scatter("scatter", maybe_get_output(), self, dim, index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter, value_reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar&, c10::string_view reduce) {
  check_reduce(reduce);
  check_scatter("scatter", maybe_get_output(), self, dim, index, nullptr);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC(scatter_add)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  check_scatter("scatter_add", maybe_get_output(), self, dim, index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter_reduce, two)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, c10::string_view reduce,
 bool /*include_self*/) {
  TORCH_CHECK(reduce == "sum" || reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
              "reduce argument must be either sum, prod, mean, amax or amin, got '", reduce, "'");
  check_scatter("scatter_reduce", maybe_get_output(), self, dim, index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

// -------------------- index_add, index_reduce

namespace {

// Each index is that of a whole slice of source.
void check_slices(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                  const Tensor& source) {
  TORCH_CHECK(index.dim() <= 1, name, "(): Index is supposed to be a vector, but got dim: ", index.dim());
  TORCH_CHECK(self.scalar_type() == source.scalar_type(), name, "(): self (", self.scalar_type(),
              ") and source (", source.scalar_type(), ") must have the same scalar type");
  const int64_t slices = source.dim() == 0 ? 1 : source.size(dim);
  TORCH_CHECK(index.numel() == slices, name, "(): Number of indices (", index.numel(),
              ") should be equal to source.size(dim): (", slices, "), for dim: ", dim);
  TORCH_CHECK(self.dim() == source.dim(), name, "(): source must have self's number of dimensions, ",
              self.dim(), ", but has ", source.dim());
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(d == dim || self.sizes()[d] == source.sizes()[d],
                "source tensor shape must match self tensor "
                "shape, excluding the specified dimension. Got self.shape = ",
                self.sizes(), " source.shape = ", source.sizes());
  }
}

}  // namespace

TORCH_PRECOMPUTE_META_FUNC(index_add)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  check_slices("index_add", self, wrapped, index, source);
  const ScalarType dtype = self.scalar_type();
  TORCH_CHECK(!alpha.isBoolean() || dtype == kBool, "Boolean alpha only supported for Boolean results.");
  TORCH_CHECK(isFloatingType(dtype) || isComplexType(dtype) || alpha.isIntegral(/*includeBool=*/true),
              "For integral input tensors, argument alpha must not be a floating point number.");
  const Tensor& result = maybe_get_output();
  check_scatter_output(result, index, &source);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
  return TORCH_PRECOMPUTE_STRUCT(index_add)().set_dim(wrapped);
}

TORCH_PRECOMPUTE_META_FUNC(index_reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, c10::string_view reduce,
 bool /*include_self*/) {
  TORCH_CHECK(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
              "reduce argument must be either prod, mean, amax or amin, got '", reduce, "'");
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  check_slices("index_reduce", self, wrapped, index, source);
  const Tensor& result = maybe_get_output();
  check_scatter_output(result, index, &source);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
  return TORCH_PRECOMPUTE_STRUCT(index_reduce)().set_dim(wrapped);
}

// -------------------- index_copy

namespace {

DimVector sizes_but(const Tensor& t, int64_t dim) {
  DimVector sizes(t.sizes().begin(), t.sizes().end());
  if (!sizes.empty()) sizes.erase(sizes.begin() + dim);
  return sizes;
}

}  // namespace

TORCH_PRECOMPUTE_META_FUNC(index_copy)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK_INDEX(index.dim() <= 1, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(),
                    ")");
  TORCH_CHECK_INDEX(source.dim() != 0 || index.numel() == 1,
                    "index_copy_(): When source is scalar, index should have one element (got ",
                    index.numel(), ")");
  TORCH_CHECK_INDEX(source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0,
                    "index_copy_(): When source and destination are not scalars, their dimensionality must "
                    "match. Source dimensionality (",
                    source.dim(), "), destination dimensionality (", self.dim(), ")");
  TORCH_CHECK(index.scalar_type() == kLong, "index_copy_(): Expected a long tensor for index, but got ",
              index.scalar_type());
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "index_copy_(): self and source expected to have the same dtype, but got (self) ",
              self.scalar_type(), " and (source) ", source.scalar_type());
  const DimVector kept = sizes_but(self, wrapped), given = sizes_but(source, wrapped);
  TORCH_CHECK(IntArrayRef(kept) == IntArrayRef(given),
              "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
              "shape: ",
              IntArrayRef(kept), " at dimension ", wrapped, " and source slice shape: ", IntArrayRef(given),
              " at dimension 0.");
  TORCH_CHECK_INDEX(source.dim() == 0 || index.numel() == source.sizes()[wrapped],
                    "index_copy_(): Number of indices (", index.numel(),
                    ") should be equal to source.size(dim) (",
                    source.dim() == 0 ? 1 : source.sizes()[wrapped], ")");
  check_scatter_output(maybe_get_output(), index, &source);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
  return TORCH_PRECOMPUTE_STRUCT(index_copy)().set_dim(wrapped);
}

}  // namespace at::meta
