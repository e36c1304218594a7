// Derivatives of complex numbers made of real ones.
#pragma once

#include <ATen/native/formulas.h>

#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API std::tuple<Tensor, Tensor> polar_backward(const Tensor& grad, const Tensor& result);

}  // namespace torch::inline C10_ABI::autograd::generated::details
