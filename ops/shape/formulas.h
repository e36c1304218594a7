// Derivatives of operators that rearrange elements.
#pragma once

#include <ATen/native/formulas.h>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor roll_backward(const Tensor& grad, SymIntArrayRef shifts, IntArrayRef dims);
TORCH_API Tensor repeat_backward(const Tensor& grad, SymIntArrayRef repeats, SymIntArrayRef input_shape);

}  // namespace torch::inline C10_ABI::autograd::generated::details
