// The kernel of native_dropout.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// All contiguous and of input's shape; mask is Bool, true with probability `keep`; output = mask ? input *
// scale : 0.
using dropout_fn = void (*)(const TensorBase& output, const TensorBase& mask, const TensorBase& input,
                            double keep, double scale);
DECLARE_DISPATCH(dropout_fn, dropout_stub)

}  // namespace at::native
