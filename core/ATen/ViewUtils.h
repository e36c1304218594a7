// The geometry of views: sizes, strides and offsets of tensors that share a storage. Views are made often and
// do little, so making one costs one TensorImpl, whose sizes and strides are written where they stay.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace at::inline C10_ABI {

/// `shape` with its -1, if any, replaced such that it holds `numel` elements.
TORCH_API DimVector infer_size_dv(IntArrayRef shape, int64_t numel);

namespace detail {

/// A view in the making: a tensor over base's storage, with base's version counter and dtype and no autograd
/// history, whose `ndim` sizes and strides are to be written before finish(). They must lie within the
/// storage.
class TORCH_API NewView {
 public:
  /// What is known of the elements of a view besides its geometry.
  enum Elements { kSameAsBase, kAny };

  NewView(const TensorBase& base, int64_t ndim);

  int64_t* sizes() { return sizes_; }
  int64_t* strides() { return strides_; }
  /// kSameAsBase: each element of base once, in whatever order, so that some properties of base carry over.
  TensorBase finish(int64_t storage_offset, int64_t numel, Elements elements);

 private:
  const c10::TensorImpl* base_;
  c10::intrusive_ptr<c10::TensorImpl> impl_;
  int64_t* sizes_;
  int64_t* strides_;
};

/// A tensor with this geometry over self's storage, as NewView makes it. Throws when the number of elements
/// overflows.
TORCH_API TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides,
                               int64_t storage_offset);
/// The same with the elements read as another dtype; sizes, strides and offset count elements of that dtype.
TORCH_API TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides,
                               int64_t storage_offset, ScalarType dtype);
/// Another tensor of self's geometry.
TORCH_API TensorBase make_alias(const TensorBase& self);

/// As infer_size_dv, written to `sizes`.
TORCH_API void infer_size_to(int64_t* sizes, IntArrayRef shape, int64_t numel);

/// Strides with which a tensor of `newshape` sees the elements of one of (oldshape, oldstride) in the same
/// order; none (false) when only a copy can be seen so. Both shapes have the same number of elements.
TORCH_API std::optional<DimVector> computeStride(IntArrayRef oldshape, IntArrayRef oldstride,
                                                 IntArrayRef newshape);
TORCH_API bool compute_stride_to(int64_t* newstride, IntArrayRef oldshape, IntArrayRef oldstride,
                                 IntArrayRef newshape);

/// A view of self expanded to `sizes`, where -1 keeps a size. Throws when a dimension other than 1 would
/// change.
TORCH_API TensorBase make_expanded(const TensorBase& self, IntArrayRef sizes);

/// Dense strides for `sizes` whose dimensions lie in memory in the order that `strides` has.
TORCH_API DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides);

/// Throws unless (size, stride, storage_offset) are of one length and not negative.
TORCH_API void check_as_strided_args(IntArrayRef size, IntArrayRef stride, int64_t storage_offset);

}  // namespace detail
}  // namespace at::inline C10_ABI
