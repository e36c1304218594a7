// The CUDA kernels of mm, bmm, addmm, _addmm_activation, baddbmm and addmv, by ATen's names.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/matmul/bias.h>
#include <ATen/native/matmul/product.h>

#include <ATen/ops/_addmm_activation_native.h>
#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/mm_native.h>

namespace at::native {

using at::cuda::blas::Activation;

TORCH_IMPL_FUNC(mm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(bmm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(addmm_out_cuda)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  if (multiply_with_bias(result, self, mat1, mat2, beta, alpha, Activation::None)) return;
  multiply_and_add(result, self, mat1, mat2, beta, alpha);
}

// cuBLASLt's gelu is the approximation by tanh, so that of other layouts and dtypes is, too.
TORCH_IMPL_FUNC(addmm_activation_out_cuda)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
 bool use_gelu, const Tensor& result) {
  const Activation activation = use_gelu ? Activation::Gelu : Activation::Relu;
  if (multiply_with_bias(result, self, mat1, mat2, beta, alpha, activation)) return;
  multiply_and_add(result, self, mat1, mat2, beta, alpha);
  activate(result, use_gelu, "tanh");
}

TORCH_IMPL_FUNC(baddbmm_out_cuda)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_and_add(result, self, batch1, batch2, beta, alpha);
}

TORCH_IMPL_FUNC(addmv_out_cuda)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_vector_and_add(result, self, mat, vec, beta, alpha);
}

}  // namespace at::native
