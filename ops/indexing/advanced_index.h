// Advanced indexing, x[i, :, mask], prepared for an iteration: integer indices broadcast to one shape, and a
// source whose indexed dimensions are replaced by that shape with stride 0, so that only an offset is left to
// be added.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>

#include <vector>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

struct AdvancedIndex {
  TensorBase src;
  std::vector<TensorBase> indices;  // int64, each broadcastable to the sizes of src
  DimVector indexed_sizes;
  DimVector indexed_strides;  // bytes
};

/// `indices[d]` indexes dimension d of self; undefined takes all of it. bool and uint8 indices are masks over
/// as many dimensions as they have. Throws IndexError for other dtypes, shapes that don't fit and indices of
/// empty dimensions; values are checked by the kernel.
TORCH_API AdvancedIndex make_advanced_index(const Tensor& self, ArrayRef<Tensor> indices);

}  // namespace at::native
