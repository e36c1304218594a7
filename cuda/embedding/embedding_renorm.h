// Rows scaled down to a maximum norm, on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// `claimed` holds a zero of type Int for each row.
void renorm_rows_on_device(const TensorBase& self, const TensorBase& indices, double max_norm, double p,
                           const TensorBase& claimed);

}  // namespace at::native
