// Views that take, drop, cut or reorder dimensions: permute, transpose, select, slice, narrow, squeeze,
// unsqueeze, flatten.

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

using at::detail::NewView;

constexpr size_t kMaxDims = 64;

// A view of all elements of self whose dimensions are those of self at `from(0)`, `from(1)`, ...
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

// The in-place operators take the geometry of the view over.
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
    // The new dimension's stride is the one that a step over the dimension behind it would have.
    view.strides()[i] = is_last ? 1 : self.strides()[from] * (is_new ? self.sizes()[from] : 1);
  }
  return view.finish(self.storage_offset(), self.numel(), NewView::kSameAsBase);
}

// Without those of `dims` that have size 1.
Tensor squeezed(const Tensor& self, std::bitset<kMaxDims> dims) {
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

std::bitset<kMaxDims> dim_set(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim <= static_cast<int64_t>(kMaxDims), "only tensors with up to ", kMaxDims,
              " dims are supported");
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
  TORCH_CHECK(
      ndim == static_cast<int64_t>(dims.size()),
      "permute(): number of dimensions in the tensor input does not match the length of the desired ordering "
      "of dimensions i.e. input.dim() = ",
      ndim, " is not equal to len(dims) = ", dims.size());
  std::bitset<kMaxDims> seen;
  TORCH_CHECK(ndim <= static_cast<int64_t>(kMaxDims), "only tensors with up to ", kMaxDims,
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

// -------------------- select, slice, narrow

Tensor select_symint(const Tensor& self, int64_t dim, c10::SymInt index_sym) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "select() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  const int64_t* const sizes = self.sizes().data();
  const int64_t* const strides = self.strides().data();
  const int64_t size = sizes[dim];
  int64_t index = index_sym.expect_int();
  TORCH_CHECK_INDEX(index >= -size && index < size, "select(): index ", index,
                    " out of range for tensor of size ", self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  NewView view(self, ndim - 1);
  int64_t* const new_sizes = view.sizes();
  int64_t* const new_strides = view.strides();
  int64_t numel = 1;
  for (int64_t i = 0; i < ndim - 1; ++i) {
    const int64_t from = i + (i >= dim);
    new_sizes[i] = sizes[from];
    new_strides[i] = strides[from];
    numel *= sizes[from];
  }
  return view.finish(self.storage_offset() + index * strides[dim], numel, NewView::kAny);
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start_opt,
             std::optional<int64_t> end_opt, int64_t step) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  TORCH_CHECK(step > 0, "slice step must be positive");
  const int64_t size = self.sizes()[dim];
  const auto bound = [size](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const int64_t start = bound(start_opt.value_or(0));
  const int64_t end = std::max(start, bound(end_opt.value_or(std::numeric_limits<int64_t>::max())));
  const int64_t length = step == 1 ? end - start : (end - start) / step + ((end - start) % step != 0);
  const int64_t* const sizes = self.sizes().data();
  const int64_t* const strides = self.strides().data();
  NewView view(self, ndim);
  int64_t* const new_sizes = view.sizes();
  int64_t* const new_strides = view.strides();
  int64_t numel = 1;
  for (int64_t i = 0; i < ndim; ++i) {
    new_sizes[i] = i == dim ? length : sizes[i];
    new_strides[i] = strides[i];
    numel *= new_sizes[i];
  }
  // A step so huge that the stride overflows leaves one element at most, which no stride is applied to.
  if (__builtin_mul_overflow(strides[dim], step, &new_strides[dim])) new_strides[dim] = strides[dim];
  return view.finish(self.storage_offset() + start * strides[dim], numel, NewView::kAny);
}

Tensor narrow_symint(const Tensor& self, int64_t dim, c10::SymInt start_sym, c10::SymInt length_sym) {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  int64_t start = start_sym.expect_int();
  const int64_t length = length_sym.expect_int();
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= start && start <= size, "start out of range (expected to be in range of [",
                    -size, ", ", size, "], but got ", start, ")");
  if (start < 0) start += size;
  TORCH_CHECK(start <= size - length, "start (", start, ") + length (", length, ") exceeds dimension size (",
              size, ").");
  return at::slice(self, dim, start, start + length, 1);
}

Tensor narrow_tensor_symint(const Tensor& self, int64_t dim, const Tensor& start, c10::SymInt length) {
  TORCH_CHECK(start.dim() == 0 && isIntegralType(start.scalar_type(), /*includeBool=*/false),
              "start must be an 0-dim integral Tensor.");
  return at::narrow(self, dim, start.item().toLong(), length.expect_int());
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
  // Not -1: in an empty tensor it could mean anything.
  DimVector shape(self.sizes().begin(), self.sizes().begin() + start_dim);
  int64_t flat = 1;
  for (int64_t dim = start_dim; dim <= end_dim; ++dim) flat *= self.sizes()[dim];
  shape.push_back(flat);
  shape.insert(shape.end(), self.sizes().begin() + end_dim + 1, self.sizes().end());
  return self.reshape(shape);
}

}  // namespace at::native
