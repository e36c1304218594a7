// Strides of a contiguous tensor.
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/safe_numerics.h>

namespace c10::inline C10_ABI {

/// Strides in elements, last dimension fastest; a size of 0 counts as 1, as in PyTorch.
inline DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = wrapping_mul(stride, sizes[i] > 1 ? sizes[i] : 1);
  }
  return strides;
}

}  // namespace c10::inline C10_ABI
