// The operators that TensorIterator calls. core names no operator: these are defined in
// ops/runtime/IteratorOps.cpp and dispatch like any other call.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

TORCH_API TensorBase iterator_to(const TensorBase& self, ScalarType dtype);
TORCH_API void iterator_copy_(const TensorBase& self, const TensorBase& src);

}  // namespace at::native
