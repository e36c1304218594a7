// Derivatives of matrix products.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

/// Gradients in the memory order of the matrix they are for, given by `strides`.
TORCH_API Tensor mm_mat1_backward(const Tensor& grad, const Tensor& mat2, SymIntArrayRef mat1_strides,
                                  const Scalar& alpha);
TORCH_API Tensor mm_mat2_backward(const Tensor& grad, const Tensor& mat1, SymIntArrayRef mat2_strides,
                                  const Scalar& alpha);
/// The gradient of a sum over a batch, expanded to every member of it.
TORCH_API Tensor addbmm_batches(const Tensor& grad, const Tensor& batch1);
/// The requested gradients of the three.
TORCH_API std::tuple<Tensor, Tensor, Tensor> trilinear_backward(const Tensor& grad, const Tensor& i1,
                                                                const Tensor& i2, const Tensor& i3,
                                                                IntArrayRef expand1, IntArrayRef expand2,
                                                                IntArrayRef expand3, IntArrayRef sumdim,
                                                                std::array<bool, 3> wanted);

}  // namespace torch::inline C10_ABI::autograd::generated::details
