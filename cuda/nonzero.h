// Finding the elements that are not zero, on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// Positions, in the order of memory, of the elements of a contiguous tensor that are not zero, counted from
/// 0, as bytes of int64s in memory of the device. Waits for the device, since the number decides what is
/// allocated.
struct NonzeroPositions {
  c10::DataPtr memory;
  int64_t count = 0;
};
NonzeroPositions nonzero_positions(const TensorBase& self);

/// Writes row r = the indices of position r in a tensor of `sizes` to out[r * row_stride + d *
/// column_stride].
void write_nonzero_indices(const NonzeroPositions& positions, IntArrayRef sizes, int64_t* out,
                           int64_t row_stride, int64_t column_stride);

}  // namespace at::native
