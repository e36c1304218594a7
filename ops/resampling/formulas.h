// Derivatives of grid sampling.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <cstdint>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

/// Gradients of grad_output, input and grid, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> grid_sampler_2d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> wanted);
TORCH_API std::tuple<Tensor, Tensor, Tensor> grid_sampler_3d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> wanted);

}  // namespace torch::inline C10_ABI::autograd::generated::details
