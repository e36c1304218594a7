// The kernel of flip.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <bitset>

namespace at::native {

// result, contiguous, is self with the dimensions `flips` reversed.
using flip_fn = void (*)(const TensorBase& result, const TensorBase& self, std::bitset<64> flips);
DECLARE_DISPATCH(flip_fn, flip_stub)

}  // namespace at::native
