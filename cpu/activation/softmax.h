// The kernels of softmax and log_softmax, and of their gradients.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

constexpr int64_t softmax_work_per_task = 16384;  // elements

// Both tensors contiguous, of one floating dtype and shape; the softmax is over `dim`.
using softmax_fn = void (*)(const TensorBase& output, const TensorBase& input, int64_t dim);
DECLARE_DISPATCH(softmax_fn, softmax_kernel)
DECLARE_DISPATCH(softmax_fn, log_softmax_kernel)

// All three contiguous, of one floating dtype and shape.
using softmax_backward_fn = void (*)(const TensorBase& grad_input, const TensorBase& grad,
                                     const TensorBase& output, int64_t dim);
DECLARE_DISPATCH(softmax_backward_fn, softmax_backward_kernel)
DECLARE_DISPATCH(softmax_backward_fn, log_softmax_backward_kernel)

}  // namespace at::native
