// Reads and writes by positions in the flattened tensor (take, put), along a dimension (take_along_dim), and
// the _unsafe_ forms of index, which compilers emit where indices are known to be right.
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/_unsafe_index.h>
#include <ATen/ops/_unsafe_index_native.h>
#include <ATen/ops/_unsafe_index_put.h>
#include <ATen/ops/_unsafe_index_put_native.h>
#include <ATen/ops/_unsafe_masked_index_native.h>
#include <ATen/ops/_unsafe_masked_index_put_accumulate_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/put_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/take_along_dim_native.h>
#include <ATen/ops/take_native.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <utility>

namespace at::native {

namespace {

using Indices = c10::List<std::optional<Tensor>>;

Indices sole_index(const Tensor& index) {
  Indices indices;
  indices.push_back(index);
  return indices;
}

void check_positions(const char* name, const Tensor& index) {
  TORCH_CHECK(index.scalar_type() == kLong, name, "(): Expected a long tensor for index, but got ",
              index.scalar_type());
}

void check_take(const Tensor& self, const Tensor& index) {
  check_positions("take", index);
  TORCH_CHECK_INDEX(self.numel() != 0 || index.numel() == 0, "take(): tried to take from an empty tensor");
}

}  // namespace

// -------------------- take, put

Tensor take(const Tensor& self, const Tensor& index) {
  check_take(self, index);
  return at::index(self.reshape(-1), sole_index(index));
}

Tensor& take_out(const Tensor& self, const Tensor& index, Tensor& out) {
  check_take(self, index);
  TORCH_CHECK(self.scalar_type() == out.scalar_type(),
              "take(): self and out expected to have the same dtype, but got self.dtype = ",
              self.scalar_type(), " and out.dtype = ", out.scalar_type());
  at::assert_no_overlap(out, self);
  return at::index_out(out, self.reshape(-1), sole_index(index));
}

Tensor& put_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_positions("put_", index);
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "put_(): self and source expected to have the same dtype, but got self.dtype = ",
              self.scalar_type(), " and source.dtype = ", source.scalar_type());
  TORCH_CHECK_INDEX(source.numel() == index.numel(),
                    "put_(): Expected source and index to have the same number of elements, but got "
                    "source.numel() = ",
                    source.numel(), ", index.numel() = ", index.numel());
  TORCH_CHECK_INDEX(self.numel() != 0 || index.numel() == 0,
                    "put_(): tried to put elements into an empty tensor");
  at::assert_no_internal_overlap(self);
  at::assert_no_overlap(self, index);
  at::assert_no_overlap(self, source);
  if (index.numel() == 0) return self;
  const Tensor dense = self.contiguous();
  dense.view(-1).index_put_(sole_index(index), source.reshape(index.sizes()), accumulate);
  if (!dense.is_same(self)) self.copy_(dense);
  return self;
}

Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  return self.clone(MemoryFormat::Preserve).put_(index, source, accumulate);
}

// -------------------- take_along_dim

namespace {

struct Gathered {
  Tensor self, index;
  int64_t dim;
};

// Both, broadcast in all dimensions but `dim`, along which negative indices count from the end; flat without
// a dimension.
Gathered gathered(const Tensor& self, const Tensor& given, std::optional<int64_t> dim_opt) {
  TORCH_CHECK(given.scalar_type() == kLong,
              "torch.take_along_dim(): dtype of indices should be Long but got ", given.scalar_type());
  if (!dim_opt) return {self.reshape(-1), given.reshape(-1), 0};
  TORCH_CHECK(self.dim() == given.dim(),
              "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
              self.dim(), " dimensions for input, and ", given.dim(), " dimensions for indices");
  const int64_t dim = maybe_wrap_dim(*dim_opt, self.dim());
  const Tensor indices = at::where(given.lt(0), given.add(self.size(dim)), given);
  if (self.dim() == 0) return {self, indices, dim};
  DimVector self_sizes(self.sizes().begin(), self.sizes().end());
  DimVector index_sizes(indices.sizes().begin(), indices.sizes().end());
  std::swap(self_sizes[dim], index_sizes[dim]);
  const DimVector wide_index = infer_size_dimvector(self_sizes, indices.sizes());
  const DimVector wide_self = infer_size_dimvector(index_sizes, self.sizes());
  return {self.expand(wide_self), indices.expand(wide_index), dim};
}

}  // namespace

Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim) {
  const Gathered g = gathered(self, indices, dim);
  return g.self.gather(g.dim, g.index);
}

Tensor& take_along_dim_out(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim,
                           Tensor& out) {
  const Gathered g = gathered(self, indices, dim);
  return at::gather_out(out, g.self, g.dim, g.index);
}

// -------------------- _unsafe_

namespace {

// A mask's result would have a shape that depends on its values.
void check_no_masks(const char* name, const Indices& indices) {
  for (const std::optional<Tensor>& index : indices) {
    TORCH_CHECK(!index || index->scalar_type() == kLong || index->scalar_type() == kInt, name,
                " found unexpected index type ", index->scalar_type());
  }
}

Indices clamped(const char* name, const Tensor& self, const Indices& indices) {
  check_no_masks(name, indices);
  TORCH_CHECK_INDEX(static_cast<int64_t>(indices.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ", indices.size(), ")");
  Indices within;
  int64_t dim = 0;
  for (const std::optional<Tensor>& index : indices) {
    const int64_t size = self.sizes()[dim++];
    within.push_back(index ? std::optional<Tensor>(at::clamp(*index, -size, size - 1)) : std::nullopt);
  }
  return within;
}

}  // namespace

Tensor _unsafe_index(const Tensor& self, const Indices& indices) {
  check_no_masks("_unsafe_index", indices);
  return at::index(self, indices);
}

Tensor _unsafe_index_put(const Tensor& self, const Indices& indices, const Tensor& values, bool accumulate) {
  return at::index_put(self, indices, values, accumulate);
}

Tensor _unsafe_masked_index(const Tensor& self, const Tensor& mask, const Indices& indices,
                            const Scalar& fill) {
  if (self.numel() != 0) {
    return at::_unsafe_index(self, clamped("_unsafe_masked_index", self, indices))
        .masked_fill(at::logical_not(mask), fill);
  }
  // There is nothing to read; indexing a tensor of one element in each empty dimension gives the shape.
  check_no_masks("_unsafe_masked_index", indices);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  for (size_t d = 0; d < std::min(indices.size(), sizes.size()); ++d) {
    if (indices.get(d)) sizes[d] = 1;
  }
  const Tensor some = at::full(sizes, fill, self.options());
  return at::_unsafe_index(some, clamped("_unsafe_masked_index", some, indices));
}

Tensor _unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask, const Indices& indices,
                                           const Tensor& values) {
  if (self.numel() == 0) return self.clone();
  return at::_unsafe_index_put(self, clamped("_unsafe_masked_index_put_accumulate", self, indices),
                               values.masked_fill(at::logical_not(mask), 0), /*accumulate=*/true);
}

}  // namespace at::native
