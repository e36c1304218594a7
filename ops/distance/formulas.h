// Derivatives of distances.
#pragma once

#include <ATen/native/formulas.h>

#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API std::tuple<Tensor, Tensor> _euclidean_dist_backward(const Tensor& grad, const Tensor& x1,
                                                              const Tensor& x2, const Tensor& distances);

}  // namespace torch::inline C10_ABI::autograd::generated::details
