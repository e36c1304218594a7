// Views that take, drop, cut or reorder dimensions: permute, transpose, select, slice, narrow, squeeze, unsqueeze, flatten.

#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/alias.h>
#include <ATen/ops/flatten_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/mT_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/narrow_native.h>
#include <ATen/ops/numpy_T_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/permute_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/select_native.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_native.h>
#include <ATen/ops/squeeze_native.h>
#include <ATen/ops/t_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/transpose_native.h>
#include <ATen/ops/unsqueeze_native.h>

#include <algorithm>
#include <bitset>
#include <limits>
#include <utility>

namespace at::native {

namespace {

using at::detail::make_view;

constexpr size_t kMaxDims = 64;

struct Geometry {
  explicit Geometry(const Tensor& t)
      : sizes(t.sizes().begin(), t.sizes().end()), strides(t.strides().begin(), t.strides().end()) {}
  Geometry() = default;

  DimVector sizes;
  DimVector strides;
};

Tensor view_with(const Tensor& self, const Geometry& geometry) {
  return make_view(self, geometry.sizes, geometry.strides, self.storage_offset());
}

// In place: the same storage and offset, other sizes and strides.
Tensor& become(Tensor& self, const Geometry& geometry) {
  self.unsafeGetTensorImpl()->set_sizes_and_strides(geometry.sizes, geometry.strides, self.storage_offset());
  return self;
}

Geometry transposed(const Tensor& self, int64_t dim0, int64_t dim1) {
  Geometry geometry(self);
  std::swap(geometry.sizes[dim0], geometry.sizes[dim1]);
  std::swap(geometry.strides[dim0], geometry.strides[dim1]);
  return geometry;
}

void check_t(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() <= 2, name, "() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
}

Geometry unsqueezed(const Tensor& self, int64_t dim) {
  Geometry geometry;
  const int64_t ndim = self.dim();
  geometry.sizes.reserve(ndim + 1);
  geometry.strides.reserve(ndim + 1);
  for (int64_t i = 0; i <= ndim; ++i) {
    if (i == dim) {
      geometry.sizes.push_back(1);
      geometry.strides.push_back(i == ndim ? 1 : self.sizes()[i] * self.strides()[i]);
    }
    if (i < ndim) {
      geometry.sizes.push_back(self.sizes()[i]);
      geometry.strides.push_back(self.strides()[i]);
    }
  }
  return geometry;
}

// Without those of `dims` that have size 1.
Geometry squeezed(const Tensor& self, std::bitset<kMaxDims> dims) {
  Geometry geometry;
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (dims[i] && self.sizes()[i] == 1) continue;
    geometry.sizes.push_back(self.sizes()[i]);
    geometry.strides.push_back(self.strides()[i]);
  }
  return geometry;
}

std::bitset<kMaxDims> dim_set(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim <= static_cast<int64_t>(kMaxDims), "only tensors with up to ", kMaxDims, " dims are supported");
  std::bitset<kMaxDims> set;
  for (const int64_t given : dims) {
    const int64_t dim = maybe_wrap_dim(given, ndim);
    TORCH_CHECK(!set[dim], "dim ", dim, " appears multiple times in the list of dims");
    set[dim] = true;
  }
  return set;
}

std::bitset<kMaxDims> all_dims(const Tensor& self) {
  TORCH_CHECK(self.dim() <= static_cast<int64_t>(kMaxDims), "only tensors with up to ", kMaxDims,
              " dims are supported");
  return std::bitset<kMaxDims>().set();
}

}  // namespace

// -------------------- permute, transpose

Tensor permute(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim == static_cast<int64_t>(dims.size()),
              "permute(): number of dimensions in the tensor input does not match the length of the desired ordering "
              "of dimensions i.e. input.dim() = ", ndim, " is not equal to len(dims) = ", dims.size());
  Geometry geometry;
  geometry.sizes.resize(ndim);
  geometry.strides.resize(ndim);
  SmallVector<bool, 8> seen(ndim, false);
  for (int64_t i = 0; i < ndim; ++i) {
    const int64_t dim = maybe_wrap_dim(dims[i], ndim);
    TORCH_CHECK(!seen[dim], "permute(): duplicate dims are not allowed.");
    seen[dim] = true;
    geometry.sizes[i] = self.sizes()[dim];
    geometry.strides[i] = self.strides()[dim];
  }
  return view_with(self, geometry);
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = maybe_wrap_dim(dim0, self.dim());
  dim1 = maybe_wrap_dim(dim1, self.dim());
  if (dim0 == dim1) return self.alias();
  return view_with(self, transposed(self, dim0, dim1));
}

Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = maybe_wrap_dim(dim0, self.dim());
  dim1 = maybe_wrap_dim(dim1, self.dim());
  return dim0 == dim1 ? self : become(self, transposed(self, dim0, dim1));
}

Tensor t(const Tensor& self) {
  check_t(self, "t");
  return self.transpose(0, self.dim() < 2 ? 0 : 1);
}

Tensor& t_(Tensor& self) {
  check_t(self, "t_");
  return self.transpose_(0, self.dim() < 2 ? 0 : 1);
}

Tensor numpy_T(const Tensor& self) {
  const int64_t ndim = self.dim();
  if (ndim != 2 && ndim != 0) {
    TORCH_WARN_ONCE("The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it ",
                    "will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or ",
                    "`x.permute(...)` to reverse the dimensions of a tensor.");
  }
  DimVector reversed(ndim);
  for (int64_t i = 0; i < ndim; ++i) reversed[i] = ndim - 1 - i;
  return self.permute(reversed);
}

Tensor mT(const Tensor& self) {
  TORCH_CHECK(self.dim() != 1, "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  if (self.dim() == 0) {
    TORCH_WARN_ONCE("Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.");
    return self;
  }
  return self.transpose(-2, -1);
}

// -------------------- select, slice, narrow

Tensor select_symint(const Tensor& self, int64_t dim, c10::SymInt index_sym) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "select() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  const int64_t size = self.sizes()[dim];
  int64_t index = index_sym.expect_int();
  TORCH_CHECK_INDEX(index >= -size && index < size, "select(): index ", index, " out of range for tensor of size ",
                    self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  DimVector sizes(ndim - 1);
  DimVector strides(ndim - 1);
  for (int64_t from = 0, to = 0; from < ndim; ++from) {
    if (from == dim) continue;
    sizes[to] = self.sizes()[from];
    strides[to++] = self.strides()[from];
  }
  return make_view(self, sizes, strides, self.storage_offset() + index * self.strides()[dim]);
}

Tensor slice(
    const Tensor& self, int64_t dim, std::optional<int64_t> start_opt, std::optional<int64_t> end_opt, int64_t step) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  TORCH_CHECK(step > 0, "slice step must be positive");
  const int64_t size = self.sizes()[dim];
  const auto bound = [size](int64_t index) { return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size); };
  const int64_t start = bound(start_opt.value_or(0));
  const int64_t end = std::max(start, bound(end_opt.value_or(std::numeric_limits<int64_t>::max())));
  Geometry geometry(self);
  const int64_t stride = geometry.strides[dim];
  geometry.sizes[dim] = (end - start) / step + ((end - start) % step != 0);
  // A huge step leaves one element, which no stride is applied to.
  geometry.strides[dim] = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(step));
  return make_view(self, geometry.sizes, geometry.strides, self.storage_offset() + start * stride);
}

Tensor narrow_symint(const Tensor& self, int64_t dim, c10::SymInt start_sym, c10::SymInt length_sym) {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  int64_t start = start_sym.expect_int();
  const int64_t length = length_sym.expect_int();
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= start && start <= size, "start out of range (expected to be in range of [", -size, ", ",
                    size, "], but got ", start, ")");
  if (start < 0) start += size;
  TORCH_CHECK(start <= size - length, "start (", start, ") + length (", length, ") exceeds dimension size (", size,
              ").");
  return at::slice(self, dim, start, start + length, 1);
}

Tensor narrow_tensor_symint(const Tensor& self, int64_t dim, const Tensor& start, c10::SymInt length) {
  TORCH_CHECK(start.dim() == 0 && isIntegralType(start.scalar_type(), /*includeBool=*/false),
              "start must be an 0-dim integral Tensor.");
  return at::narrow(self, dim, start.item().toLong(), length.expect_int());
}

// -------------------- unsqueeze, squeeze

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return view_with(self, unsqueezed(self, maybe_wrap_dim(dim, self.dim() + 1)));
}

Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  return become(self, unsqueezed(self, maybe_wrap_dim(dim, self.dim() + 1)));
}

Tensor squeeze(const Tensor& self) {
  return view_with(self, squeezed(self, all_dims(self)));
}

Tensor squeeze(const Tensor& self, int64_t dim) {
  return view_with(self, squeezed(self, dim_set(self, dim)));
}

Tensor squeeze(const Tensor& self, IntArrayRef dims) {
  return view_with(self, squeezed(self, dim_set(self, dims)));
}

Tensor& squeeze_(Tensor& self) {
  return become(self, squeezed(self, all_dims(self)));
}

Tensor& squeeze_(Tensor& self, int64_t dim) {
  return become(self, squeezed(self, dim_set(self, dim)));
}

Tensor& squeeze_(Tensor& self, IntArrayRef dims) {
  return become(self, squeezed(self, dim_set(self, dims)));
}

// -------------------- flatten

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t ndim = self.dim();
  start_dim = maybe_wrap_dim(start_dim, ndim);
  end_dim = maybe_wrap_dim(end_dim, ndim);
  TORCH_CHECK(start_dim <= end_dim, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (ndim == 0) return self.reshape({1});
  if (start_dim == end_dim) return self;
  // Not -1: in an empty tensor it could mean anything.
  DimVector shape(self.sizes().begin(), self.sizes().begin() + start_dim);
  int64_t flat = 1;
  for (int64_t dim = start_dim; dim <= end_dim; ++dim) flat *= self.sizes()[dim];
  shape.push_back(flat);
  shape.insert(shape.end(), self.sizes().begin() + end_dim + 1, self.sizes().end());
  return self.reshape(shape);
}

}  // namespace at::native
