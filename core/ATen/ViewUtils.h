// The geometry of views: sizes, strides and offsets of tensors that share a storage. The functions compute and check
// geometry; make_view() alone creates a tensor, at the cost of one TensorImpl.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace at::inline C10_ABI {

/// `shape` with its -1, if any, replaced such that it holds `numel` elements.
TORCH_API DimVector infer_size_dv(IntArrayRef shape, int64_t numel);

namespace detail {

/// A tensor with this geometry over self's storage. It shares self's version counter and has no autograd history.
/// The geometry is not checked: it must lie within the storage.
TORCH_API TensorBase make_view(
    const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
/// The same with the elements read as another dtype; sizes, strides and offset count elements of that dtype.
TORCH_API TensorBase make_view(
    const TensorBase& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, ScalarType dtype);

/// Strides with which a tensor of `newshape` sees the elements of one of (oldshape, oldstride) in the same order;
/// none when only a copy can be seen so. Both shapes have the same number of elements.
TORCH_API std::optional<DimVector> computeStride(IntArrayRef oldshape, IntArrayRef oldstride, IntArrayRef newshape);

struct ViewGeometry {
  DimVector sizes;
  DimVector strides;
};

/// Geometry of self expanded to `sizes`, where -1 keeps a size. Throws when a dimension other than 1 would change.
TORCH_API ViewGeometry expand_geometry(const TensorBase& self, IntArrayRef sizes);

/// Dense strides for `sizes` whose dimensions lie in memory in the order that `strides` has.
TORCH_API DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides);

/// Dense row-major strides.
TORCH_API DimVector contiguous_strides(IntArrayRef sizes);

/// Throws unless (size, stride, storage_offset) are of one length and not negative.
TORCH_API void check_as_strided_args(IntArrayRef size, IntArrayRef stride, int64_t storage_offset);

}  // namespace detail
}  // namespace at::inline C10_ABI
