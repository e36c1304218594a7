// Derivatives of Fourier transforms.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor fft_r2c_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization, bool onesided,
                                  const SymInt& last_dim_size);
/// `last_dim_size` is the input's.
TORCH_API Tensor fft_c2r_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization,
                                  const SymInt& last_dim_size);

}  // namespace torch::inline C10_ABI::autograd::generated::details
