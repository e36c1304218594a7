// softmax, log_softmax and their gradients on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// `output` and `input` are contiguous, of one shape; output is of input's dtype, or Float for a Half input.
void softmax_on_device(const TensorBase& output, const TensorBase& input, int64_t dim, bool logarithm);

/// All contiguous and of one shape; grad_input is of grad's dtype, or Half for a Float grad.
void softmax_backward_on_device(const TensorBase& grad_input, const TensorBase& grad,
                                const TensorBase& output, int64_t dim, bool logarithm);

}  // namespace at::native
