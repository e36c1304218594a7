// The kernel of embedding_bag's gradient for sums and means.
#pragma once

#include <ATen/native/embedding/stubs.h>

namespace at::native {

/// As add_bag_gradients_stub.
void add_bag_gradients(const BagGradients& gradients, const TensorBase& result);

}  // namespace at::native
