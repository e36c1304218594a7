// Shapes of the lines that gather and scatter go along.
#pragma once

#include <ATen/core/DimVector.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

// Sizes or strides, in which a 0-dim tensor is a line of one element.
inline DimVector at_least_1d(IntArrayRef values, int64_t fill) {
  return values.empty() ? DimVector(1, fill) : DimVector(values.begin(), values.end());
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
