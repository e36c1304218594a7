// Dropout of contiguous tensors on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// output = input * scale where an element is kept (with probability `keep`), else 0; mask says which are.
void dropout_on_device(const TensorBase& output, const TensorBase& mask, const TensorBase& input, double keep,
                       double scale);

}  // namespace at::native
