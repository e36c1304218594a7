// The kernel of embedding_bag's gradient for sums and means.
#pragma once

#include <ATen/core/TensorBase.h>

#include <cstdint>

namespace at::native {

/// As add_bag_gradients_stub.
void add_bag_gradients(const TensorBase& grad, const TensorBase& rows, const TensorBase& bag_of,
                       const TensorBase& factors, int64_t padding, const TensorBase& result);

}  // namespace at::native
