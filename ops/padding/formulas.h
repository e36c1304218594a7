// Derivatives of padding.
#pragma once

#include <ATen/native/formulas.h>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor constant_pad_nd_backward(const Tensor& grad, SymIntArrayRef pad);

}  // namespace torch::inline C10_ABI::autograd::generated::details
