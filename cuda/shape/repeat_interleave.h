// The kernel of repeat_interleave.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// Writes index i ends[i] - ends[i - 1] times. ends: Long, contiguous; result: Long or Int, contiguous, of
/// size ends[-1].
void write_repeated(const TensorBase& ends, const TensorBase& result);

}  // namespace at::native
