// arange on the current device.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>

namespace at::native {

/// out[i] = start + i * step for a contiguous tensor.
void arange_on_device(const TensorBase& out, const c10::Scalar& start, const c10::Scalar& step);

}  // namespace at::native
