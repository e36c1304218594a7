// Views that reorder, drop, add or join dimensions: permute, transpose, squeeze, unsqueeze, flatten.

#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/alias.h>
#include <ATen/ops/flatten_native.h>
#include <ATen/ops/mT_native.h>
#include <ATen/ops/numpy_T_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/permute_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/squeeze_native.h>
#include <ATen/ops/t_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/transpose_native.h>
#include <ATen/ops/unsqueeze_native.h>

#include <bitset>
#include <utility>

namespace at::native {

namespace {

using at::detail::NewView;

constexpr size_t max_dims = 64;

// A view of all elements of self whose dimensions are self's at `from(0)`, `from(1)`, ...
template <class From>
Tensor rearranged(const Tensor& self, int64_t ndim, const From& from) {
  NewView view(self, ndim);
  const int64_t* sizes = self.sizes().data();
  const int64_t* strides = self.strides().data();
  int64_t* const new_sizes = view.sizes();
  int64_t* const new_strides = view.strides();
  for (int64_t i = 0; i < ndim; ++i) {
    const int64_t dim = from(i);
    new_sizes[i] = sizes[dim];
    new_strides[i] = strides[dim];
  }
  return view.finish(self.storage_offset(), self.numel(), NewView::kSameAsBase);
}

// The in-place operators take over the view's geometry.
Tensor& become(Tensor& self, const Tensor& view) {
  const DimVector sizes(view.sizes().begin(), view.sizes().end());
  self.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, view.strides(), view.storage_offset());
  return self;
}

Tensor swapped(const Tensor& self, int64_t dim0, int64_t dim1) {
  return rearranged(self, self.dim(), [=](int64_t i) { return i == dim0 ? dim1 : i == dim1 ? dim0 : i; });
}

void check_t(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() <= 2, name, "() expects a tensor with <= 2 dimensions, but self is ", self.dim(),
              "D");
}

Tensor unsqueezed(const Tensor& self, int64_t dim) {
  const int64_t ndim = self.dim();
  NewView view(self, ndim + 1);
  for (int64_t i = 0; i <= ndim; ++i) {
    const int64_t from = i - (i > dim);
    const bool is_new = i == dim;
    const bool is_last = from == ndim;
    view.sizes()[i] = is_new ? 1 : self.sizes()[from];
    // The new dimension's stride is that of stepping over the dimension after it.
    view.strides()[i] = is_last ? 1 : self.strides()[from] * (is_new ? self.sizes()[from] : 1);
  }
  return view.finish(self.storage_offset(), self.numel(), NewView::kSameAsBase);
}

// Without those of `dims` that have size 1.
Tensor squeezed(const Tensor& self, std::bitset<max_dims> dims) {
  const IntArrayRef sizes = self.sizes();
  const auto is_dropped = [&](int64_t i) { return sizes[i] == 1 && dims[i]; };
  int64_t kept = 0;
  for (int64_t i = 0; i < self.dim(); ++i) kept += !is_dropped(i);
  int64_t next = 0;
  return rearranged(self, kept, [&](int64_t) {
    while (is_dropped(next)) ++next;
    return next++;
  });
}

std::bitset<max_dims> dim_set(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim <= static_cast<int64_t>(max_dims), "only tensors with up to ", max_dims,
              " dims are supported");
  std::bitset<max_dims> set;
  for (const int64_t given : dims) {
    const int64_t dim = maybe_wrap_dim(given, ndim);
    TORCH_CHECK(!set[dim], "dim ", dim, " appears multiple times in the list of dims");
    set[dim] = true;
  }
  return set;
}

std::bitset<max_dims> all_dims(const Tensor& self) {
  TORCH_CHECK(self.dim() <= static_cast<int64_t>(max_dims), "only tensors with up to ", max_dims,
              " dims are supported");
  return std::bitset<max_dims>().set();
}

}  // namespace

// -------------------- permute, transpose

Tensor permute(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(
      ndim == static_cast<int64_t>(dims.size()),
      "permute(): number of dimensions in the tensor input does not match the length of the desired ordering "
      "of dimensions i.e. input.dim() = ",
      ndim, " is not equal to len(dims) = ", dims.size());
  std::bitset<max_dims> seen;
  TORCH_CHECK(ndim <= static_cast<int64_t>(max_dims), "only tensors with up to ", max_dims,
              " dims are supported");
  return rearranged(self, ndim, [&](int64_t i) {
    const int64_t dim = maybe_wrap_dim(dims[i], ndim);
    TORCH_CHECK(!seen[dim], "permute(): duplicate dims are not allowed.");
    seen[dim] = true;
    return dim;
  });
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = maybe_wrap_dim(dim0, self.dim());
  dim1 = maybe_wrap_dim(dim1, self.dim());
  if (dim0 == dim1) return self.alias();
  return swapped(self, dim0, dim1);
}

Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = maybe_wrap_dim(dim0, self.dim());
  dim1 = maybe_wrap_dim(dim1, self.dim());
  return dim0 == dim1 ? self : become(self, swapped(self, dim0, dim1));
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
    TORCH_WARN_ONCE(
        "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it ",
        "will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or ",
        "`x.permute(...)` to reverse the dimensions of a tensor.");
  }
  DimVector reversed(ndim);
  for (int64_t i = 0; i < ndim; ++i) reversed[i] = ndim - 1 - i;
  return self.permute(reversed);
}

Tensor mT(const Tensor& self) {
  TORCH_CHECK(self.dim() != 1,
              "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  if (self.dim() == 0) {
    TORCH_WARN_ONCE("Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.");
    return self;
  }
  return self.transpose(-2, -1);
}

// -------------------- unsqueeze, squeeze

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return unsqueezed(self, maybe_wrap_dim(dim, self.dim() + 1));
}

Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  return become(self, unsqueezed(self, maybe_wrap_dim(dim, self.dim() + 1)));
}

Tensor squeeze(const Tensor& self) { return squeezed(self, all_dims(self)); }

Tensor squeeze(const Tensor& self, int64_t dim) { return squeezed(self, dim_set(self, dim)); }

Tensor squeeze(const Tensor& self, IntArrayRef dims) { return squeezed(self, dim_set(self, dims)); }

Tensor& squeeze_(Tensor& self) { return become(self, squeezed(self, all_dims(self))); }

Tensor& squeeze_(Tensor& self, int64_t dim) { return become(self, squeezed(self, dim_set(self, dim))); }

Tensor& squeeze_(Tensor& self, IntArrayRef dims) { return become(self, squeezed(self, dim_set(self, dims))); }

// -------------------- flatten

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t ndim = self.dim();
  start_dim = maybe_wrap_dim(start_dim, ndim);
  end_dim = maybe_wrap_dim(end_dim, ndim);
  TORCH_CHECK(start_dim <= end_dim, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (ndim == 0) return self.reshape({1});
  if (start_dim == end_dim) return self;
  // Not -1: in an empty tensor it would be ambiguous.
  DimVector shape(self.sizes().begin(), self.sizes().begin() + start_dim);
  int64_t flat = 1;
  for (int64_t dim = start_dim; dim <= end_dim; ++dim) flat *= self.sizes()[dim];
  shape.push_back(flat);
  shape.insert(shape.end(), self.sizes().begin() + end_dim + 1, self.sizes().end());
  return self.reshape(shape);
}

}  // namespace at::native
