// Geometry of views (see the header).
#include <ATen/ViewUtils.h>

#include <c10/core/TensorImpl.h>

#include <algorithm>

namespace at::inline C10_ABI {

namespace {

// Strides of empty tensors are never used to reach memory, so their products may wrap, but not as signed overflow.
int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// The product of the sizes other than -1; -1 when it overflows.
int64_t product_of_known(IntArrayRef shape) {
  int64_t product = 1;
  bool overflow = false;
  for (const int64_t size : shape) {
    if (size == 0) return 0;
    if (size != -1) overflow |= __builtin_mul_overflow(product, size, &product);
  }
  return overflow ? -1 : product;
}

}  // namespace

DimVector infer_size_dv(IntArrayRef shape, int64_t numel) {
  DimVector result(shape.begin(), shape.end());
  int64_t inferred = -1;
  for (size_t dim = 0; dim != shape.size(); ++dim) {
    if (shape[dim] == -1) {
      TORCH_CHECK(inferred == -1, "only one dimension can be inferred");
      inferred = static_cast<int64_t>(dim);
    } else {
      TORCH_CHECK(shape[dim] >= 0, "invalid shape dimension ", shape[dim], " at index ", dim, " of shape ", shape);
    }
  }
  const int64_t known = product_of_known(shape);
  const bool fits = numel == known || (inferred >= 0 && known > 0 && numel % known == 0);
  TORCH_CHECK(fits, "shape '", shape, "' is invalid for input of size ", numel);
  if (inferred >= 0) {
    TORCH_CHECK(known != 0, "cannot reshape tensor of 0 elements into shape ", shape,
                " because the unspecified dimension size -1 can be any value and is ambiguous");
    result[inferred] = numel / known;
  }
  return result;
}

namespace detail {

TensorBase make_view(
    const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, ScalarType dtype) {
  c10::TensorImpl* base = self.unsafeGetTensorImpl();
  auto impl = c10::make_intrusive<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(base->storage()), base->key_set(), dtype);
  impl->set_sizes_and_strides(sizes, strides, storage_offset);
  impl->set_version_counter(base->version_counter());
  return TensorBase(std::move(impl));
}

TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  return make_view(self, sizes, strides, storage_offset, self.scalar_type());
}

DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = wrapping_mul(stride, std::max<int64_t>(sizes[i], 1));
  }
  return strides;
}

std::optional<DimVector> computeStride(IntArrayRef oldshape, IntArrayRef oldstride, IntArrayRef newshape) {
  DimVector strides(newshape.size(), 1);
  if (oldshape.empty()) return strides;
  if (std::find(oldshape.begin(), oldshape.end(), 0) != oldshape.end()) {
    if (oldshape == newshape) return DimVector(oldstride.begin(), oldstride.end());
    return contiguous_strides(newshape);
  }
  // Old dimensions are merged from the last one on into chunks that one stride can walk; each chunk is then cut into
  // the new dimensions that end inside it. A new dimension across two chunks has no stride.
  int64_t view_dim = static_cast<int64_t>(newshape.size()) - 1;
  int64_t chunk_stride = oldstride.back();
  int64_t chunk_numel = 1;
  int64_t view_numel = 1;
  for (int64_t dim = static_cast<int64_t>(oldshape.size()) - 1; dim >= 0; --dim) {
    chunk_numel *= oldshape[dim];
    const bool chunk_ends =
        dim == 0 || (oldshape[dim - 1] != 1 && oldstride[dim - 1] != wrapping_mul(chunk_numel, chunk_stride));
    if (!chunk_ends) continue;
    for (; view_dim >= 0 && (view_numel < chunk_numel || newshape[view_dim] == 1); --view_dim) {
      strides[view_dim] = wrapping_mul(view_numel, chunk_stride);
      view_numel *= newshape[view_dim];
    }
    if (view_numel != chunk_numel) return std::nullopt;
    if (dim > 0) {
      chunk_stride = oldstride[dim - 1];
      chunk_numel = view_numel = 1;
    }
  }
  if (view_dim != -1) return std::nullopt;
  return strides;
}

namespace {

C10_COLD C10_NOINLINE void fail_expand(const TensorBase& self, IntArrayRef sizes, int64_t dim, int64_t target_dim) {
  const int64_t target = sizes[target_dim];
  TORCH_CHECK(dim >= 0, "The expanded size of the tensor (", target,
              ") isn't allowed in a leading, non-existing dimension ", target_dim);
  TORCH_CHECK(false, "The expanded size of the tensor (", target, ") must match the existing size (", self.size(dim),
              ") at non-singleton dimension ", target_dim, ".  Target sizes: ", sizes, ".  Tensor sizes: ",
              self.sizes());
}

}  // namespace

ViewGeometry expand_geometry(const TensorBase& self, IntArrayRef sizes) {
  const int64_t ndim = static_cast<int64_t>(sizes.size());
  const int64_t offset = ndim - self.dim();
  TORCH_CHECK(offset >= 0, "expand(", self.toString(), "{", self.sizes(), "}, size=", sizes,
              "): the number of sizes provided (", ndim,
              ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), ")");
  ViewGeometry result{DimVector(ndim), DimVector(ndim)};
  for (int64_t i = ndim - 1; i >= 0; --i) {
    const int64_t dim = i - offset;
    const int64_t size = dim >= 0 ? self.sizes()[dim] : 1;
    int64_t stride = dim >= 0 ? self.strides()[dim] : 0;
    int64_t target = sizes[i];
    if (dim < 0) {
      if (target < 0) fail_expand(self, sizes, dim, i);
      // A new dimension of size 1 continues the strides; one that repeats has none, nor have those of a 0-dim tensor.
      stride = offset < ndim ? wrapping_mul(result.sizes[i + 1], result.strides[i + 1]) : 0;
    } else if (target == -1) {
      target = size;
    }
    if (size != target) {
      if (size != 1 || target < 0) fail_expand(self, sizes, dim, i);
      stride = 0;
    }
    result.sizes[i] = target;
    result.strides[i] = stride;
  }
  return result;
}

DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides) {
  const int64_t ndim = static_cast<int64_t>(sizes.size());
  DimVector order(ndim);
  for (int64_t i = 0; i < ndim; ++i) order[i] = ndim - 1 - i;
  // An insertion sort from the fastest dimension on, in which dimensions of stride 0 and of equal strides and sizes
  // keep their places: exactly how the iteration planner would lay out an output for this input.
  const auto compare = [&](int64_t a, int64_t b) {
    const int64_t sa = strides[a];
    const int64_t sb = strides[b];
    if (sa == 0 || sb == 0) return 0;
    if (sa != sb) return sa < sb ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  for (int64_t i = 1; i < ndim; ++i) {
    int64_t moving = i;
    for (int64_t other = i - 1; other >= 0; --other) {
      const int64_t comparison = compare(order[other], order[moving]);
      if (comparison > 0) {
        std::swap(order[other], order[moving]);
        moving = other;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  DimVector result(ndim);
  int64_t stride = 1;
  for (const int64_t dim : order) {
    result[dim] = stride;
    if (sizes[dim] > 1) stride = wrapping_mul(stride, sizes[dim]);
  }
  return result;
}

void check_as_strided_args(IntArrayRef size, IntArrayRef stride, int64_t storage_offset) {
  TORCH_CHECK(size.size() == stride.size(), "mismatch in length of strides and shape");
  for (const int64_t value : stride) {
    TORCH_CHECK(value >= 0, "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  }
  TORCH_CHECK(storage_offset >= 0, "Tensor: invalid storage offset ", storage_offset);
}

}  // namespace detail
}  // namespace at::inline C10_ABI
