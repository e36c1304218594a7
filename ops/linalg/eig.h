// What the kernels of linalg_eig on all devices share.
#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

namespace at::native {

/// Throws unless `self` is a batch of square matrices of floats or complex numbers.
TORCH_API void check_eig(const Tensor& self, const char* name);
/// Uninitialised complex eigenvalues, and eigenvectors if they are wanted, in columns.
TORCH_API std::tuple<Tensor, Tensor> empty_eig(const Tensor& self, bool vectors);

}  // namespace at::native
