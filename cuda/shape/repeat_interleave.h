// The kernel of repeat_interleave.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// Writes number i as often as ends[i] is above ends[i - 1]. ends: Long, contiguous; result: Long or Int,
/// contiguous, as long as the last end says.
void write_repeated(const TensorBase& ends, const TensorBase& result);

}  // namespace at::native
