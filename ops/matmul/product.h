// The product of matrices, which the operators of this folder are made of.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

#include <string_view>

namespace at::native {

// result = alpha * left @ right + beta * result, of two matrices or two batches of them; with beta 0, result
// isn't read. All have elements, of one dtype; result overlaps with nothing.
using product_fn = void (*)(const TensorBase& result, const TensorBase& left, const TensorBase& right,
                            const Scalar& beta, const Scalar& alpha);
DECLARE_DISPATCH(product_fn, product_stub)

/// The same of tensors of any size, which may overlap: checked.
TORCH_API void multiply(const Tensor& result, const Tensor& left, const Tensor& right, const Scalar& beta,
                        const Scalar& alpha);
/// result = beta * self + alpha * left @ right; self is broadcast to result, or is it.
TORCH_API void multiply_and_add(const Tensor& result, const Tensor& self, const Tensor& left,
                                const Tensor& right, const Scalar& beta, const Scalar& alpha);
/// The same of a matrix and a vector.
TORCH_API void multiply_vector_and_add(const Tensor& result, const Tensor& self, const Tensor& mat,
                                       const Tensor& vec, const Scalar& beta, const Scalar& alpha);
/// result = relu(result), or gelu(result) with the approximation "none" or "tanh".
TORCH_API void activate(const Tensor& result, bool use_gelu, std::string_view approximate);

}  // namespace at::native
