// Geometry of views (see the header).
#include <ATen/ViewUtils.h>

#include <c10/core/TensorImpl.h>

#include <algorithm>

namespace at::inline C10_ABI {

namespace {

// Strides of empty tensors never address memory: their products may wrap, but not as signed overflow.
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

int64_t checked_numel(IntArrayRef sizes) {
  int64_t numel = 1;
  bool overflow = false;
  bool empty = false;
  for (const int64_t size : sizes) {
    TORCH_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(numel, std::max<int64_t>(size, 1), &numel);
  }
  if (empty) return 0;
  TORCH_CHECK(!overflow, "numel: integer multiplication overflow of sizes ", sizes);
  return numel;
}

}  // namespace

namespace detail {

// -------------------- making views

constinit thread_local const c10::TensorImpl* viewed = nullptr;

void set_view_of(const TensorBase& view, const TensorBase& base, c10::ViewCreation creation) {
  c10::TensorImpl* const impl = view.unsafeGetTensorImpl();
  c10::TensorImpl* const of = base.unsafeGetTensorImpl();
  if (C10_UNLIKELY(impl == of || impl->is_inference())) return;
  c10::TensorImpl* const root = of->is_view() ? of->view_base().get() : of;
  if (C10_LIKELY(impl->view_base().get() == root)) return impl->set_view_created(creation);
  impl->set_view_of(c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(root), creation);
}

TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                     ScalarType dtype) {
  auto impl = ViewAccess::share_storage(self.unsafeGetTensorImpl(), dtype);
  impl->set_sizes_and_strides(sizes, strides, storage_offset);
  return TensorBase(std::move(impl));
}

TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  const int64_t numel = checked_numel(sizes);
  NewView view(self, static_cast<int64_t>(sizes.size()));
  std::copy(sizes.begin(), sizes.end(), view.sizes());
  std::copy(strides.begin(), strides.end(), view.strides());
  return view.finish(storage_offset, numel, NewView::kAny);
}

TensorBase make_alias(const TensorBase& self) {
  NewView view(self, self.dim());
  std::copy(self.sizes().begin(), self.sizes().end(), view.sizes());
  std::copy(self.strides().begin(), self.strides().end(), view.strides());
  return view.finish(self.storage_offset(), self.numel(), NewView::kSameAsBase);
}

// -------------------- shapes

void infer_size_to(int64_t* sizes, IntArrayRef shape, int64_t numel) {
  const size_t ndim = shape.size();
  const int64_t* const given = shape.data();
  int64_t inferred = -1;
  int64_t known = 1;
  bool overflow = false;
  for (size_t dim = 0; dim != ndim; ++dim) {
    const int64_t size = given[dim];
    sizes[dim] = size;
    if (C10_LIKELY(size >= 0)) {
      overflow |= __builtin_mul_overflow(known, size, &known);
    } else {
      TORCH_CHECK(size == -1, "invalid shape dimension ", size, " at index ", dim, " of shape ", shape);
      TORCH_CHECK(inferred == -1, "only one dimension can be inferred");
      inferred = static_cast<int64_t>(dim);
    }
  }
  // A size of 0 makes the product 0, whatever the other sizes are.
  if (C10_UNLIKELY(overflow)) known = product_of_known(shape);
  if (C10_LIKELY(inferred < 0)) {
    TORCH_CHECK(numel == known, "shape '", shape, "' is invalid for input of size ", numel);
    return;
  }
  TORCH_CHECK(known > 0 ? numel % known == 0 : numel == known, "shape '", shape,
              "' is invalid for input of size ", numel);
  TORCH_CHECK(known != 0, "cannot reshape tensor of 0 elements into shape ", shape,
              " because the unspecified dimension size -1 can be any value and is ambiguous");
  sizes[inferred] = numel / known;
}

bool compute_stride_to(int64_t* newstride, IntArrayRef oldshape, IntArrayRef oldstride,
                       IntArrayRef newshape) {
  if (oldshape.empty()) {
    std::fill_n(newstride, newshape.size(), 1);
    return true;
  }
  if (C10_UNLIKELY(std::find(oldshape.begin(), oldshape.end(), 0) != oldshape.end())) {
    const bool same = oldshape == newshape;
    int64_t stride = 1;
    for (size_t i = newshape.size(); i-- > 0;
         stride = wrapping_mul(stride, std::max<int64_t>(newshape[i], 1))) {
      newstride[i] = same ? oldstride[i] : stride;
    }
    return true;
  }
  // Merges old dimensions, from the last one on, into chunks that a single stride covers; each chunk is then
  // split into the new dimensions that end inside it. A new dimension across two chunks has no stride.
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
      newstride[view_dim] = wrapping_mul(view_numel, chunk_stride);
      view_numel *= newshape[view_dim];
    }
    if (view_numel != chunk_numel) return false;
    if (dim > 0) {
      chunk_stride = oldstride[dim - 1];
      chunk_numel = view_numel = 1;
    }
  }
  return view_dim == -1;
}

std::optional<DimVector> computeStride(IntArrayRef oldshape, IntArrayRef oldstride, IntArrayRef newshape) {
  DimVector strides(newshape.size());
  if (!compute_stride_to(strides.data(), oldshape, oldstride, newshape)) return std::nullopt;
  return strides;
}

namespace {

C10_COLD C10_NOINLINE void fail_expand(const TensorBase& self, IntArrayRef sizes, int64_t dim,
                                       int64_t target_dim) {
  const int64_t target = sizes[target_dim];
  TORCH_CHECK(dim >= 0, "The expanded size of the tensor (", target,
              ") isn't allowed in a leading, non-existing dimension ", target_dim);
  TORCH_CHECK(false, "The expanded size of the tensor (", target, ") must match the existing size (",
              self.size(dim), ") at non-singleton dimension ", target_dim, ".  Target sizes: ", sizes,
              ".  Tensor sizes: ", self.sizes());
}

}  // namespace

TensorBase make_expanded(const TensorBase& self, IntArrayRef sizes) {
  const int64_t ndim = static_cast<int64_t>(sizes.size());
  const int64_t offset = ndim - self.dim();
  TORCH_CHECK(offset >= 0, "expand(", self.toString(), "{", self.sizes(), "}, size=", sizes,
              "): the number of sizes provided (", ndim,
              ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), ")");
  NewView view(self, ndim);
  int64_t numel = 1;
  bool overflow = false;
  for (int64_t i = ndim - 1; i >= 0; --i) {
    const int64_t dim = i - offset;
    const int64_t size = dim >= 0 ? self.sizes()[dim] : 1;
    int64_t stride = dim >= 0 ? self.strides()[dim] : 0;
    int64_t target = sizes[i];
    if (dim < 0) {
      if (target < 0) fail_expand(self, sizes, dim, i);
      // A new dimension of size 1 continues the strides; one that repeats gets 0, as do those of a 0-dim
      // tensor.
      stride = offset < ndim ? wrapping_mul(view.sizes()[i + 1], view.strides()[i + 1]) : 0;
    } else if (target == -1) {
      target = size;
    }
    if (size != target) {
      if (size != 1 || target < 0) fail_expand(self, sizes, dim, i);
      stride = 0;
    }
    view.sizes()[i] = target;
    view.strides()[i] = stride;
    overflow |= __builtin_mul_overflow(numel, std::max<int64_t>(target, 1), &numel);
  }
  TORCH_CHECK(!overflow, "numel: integer multiplication overflow of sizes ", sizes);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end() || self.numel() == 0) numel = 0;
  return view.finish(self.storage_offset(), numel, NewView::kAny);
}

DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides) {
  const int64_t ndim = static_cast<int64_t>(sizes.size());
  DimVector order(ndim);
  for (int64_t i = 0; i < ndim; ++i) order[i] = ndim - 1 - i;
  // An insertion sort from the fastest dimension on, in which dimensions of stride 0, or of equal strides and
  // sizes, keep their order: the layout that TensorIterator gives the output for this input.
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
    TORCH_CHECK(value >= 0,
                "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  }
  TORCH_CHECK(storage_offset >= 0, "Tensor: invalid storage offset ", storage_offset);
}

}  // namespace detail

DimVector infer_size_dv(IntArrayRef shape, int64_t numel) {
  DimVector sizes(shape.size());
  detail::infer_size_to(sizes.data(), shape, numel);
  return sizes;
}

}  // namespace at::inline C10_ABI
