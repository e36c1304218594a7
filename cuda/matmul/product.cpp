// Products of matrices on CUDA: a call of cuBLAS's gemm, or a kernel of our own for integers.
#include <ATen/native/matmul/product.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDABlas.h>
#include <ATen/native/cuda/matmul/bias.h>
#include <ATen/native/cuda/matmul/integer_product.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>

#include <algorithm>

namespace at::native {

namespace {

using at::cuda::blas::Matrix;

// Whether the last two dimensions are rows with a fixed distance, or (transposed) columns.
bool has_unit_stride(const TensorBase& t, int64_t dim, int64_t other) {
  return (t.stride(dim) == 1 || t.size(dim) == 1) &&
         (t.size(other) == 1 || t.stride(other) >= std::max<int64_t>(t.size(dim), 1));
}

struct Operand {
  TensorBase held;  // the given tensor, or a dense copy
  Matrix matrix;
};

// cuBLAS is column-major: it sees a row-major matrix as its transpose.
Operand as_operand(const TensorBase& given) {
  const int64_t rows = given.dim() - 2, columns = given.dim() - 1;
  const bool by_rows = has_unit_stride(given, columns, rows);
  const bool usable = by_rows || has_unit_stride(given, rows, columns);
  const TensorBase t = usable ? given : Tensor(given).contiguous();
  const bool row_major = by_rows || !usable;
  const int64_t line = row_major ? rows : columns, along = row_major ? columns : rows;
  const int64_t ld = t.size(line) == 1 ? std::max<int64_t>(t.size(along), 1) : t.stride(line);
  return {t, {t.const_data_ptr(), !row_major, ld, t.dim() > 2 ? t.stride(0) : 0}};
}

// In column-major terms result' = right' @ left'.
void product_cuda(const TensorBase& result, const TensorBase& left, const TensorBase& right,
                  const Scalar& beta, const Scalar& alpha) {
  if (isIntegralType(result.scalar_type(), /*includeBool=*/false)) {
    return integer_product(result, left, right, beta, alpha);
  }
  if (!result.is_contiguous()) {
    const Tensor dense = Tensor(result).contiguous();
    product_cuda(dense, left, right, beta, alpha);
    Tensor(result).copy_(dense);
    return;
  }
  const Operand a = as_operand(right), b = as_operand(left);
  const int64_t dim = result.dim(), m = result.size(dim - 1), n = result.size(dim - 2),
                k = left.size(dim - 1), batch = dim > 2 ? result.size(0) : 1;
  at::cuda::blas::gemm(result.scalar_type(), m, n, k, batch, alpha, a.matrix, b.matrix, beta,
                       result.mutable_data_ptr(), m, m * n);
}

// Whether `self` is a row that is added to each of the result's, without a factor.
bool is_bias(const TensorBase& self, const TensorBase& result, const Scalar& beta) {
  const bool is_row = self.dim() == 1 || (self.dim() == 2 && self.size(0) == 1);
  return is_row && self.size(-1) == result.size(1) && (self.stride(-1) == 1 || self.size(-1) == 1) &&
         beta.toComplexDouble() == 1.0;
}

}  // namespace

bool multiply_with_bias(const TensorBase& result, const TensorBase& self, const TensorBase& left,
                        const TensorBase& right, const Scalar& beta, const Scalar& alpha,
                        at::cuda::blas::Activation activation) {
  const ScalarType dtype = result.scalar_type();
  if (dtype != kFloat && !isReducedFloatingType(dtype)) return false;
  if (!is_bias(self, result, beta) || !result.is_contiguous()) return false;
  if (result.numel() == 0 || left.numel() == 0 || self.is_alias_of(result)) return false;
  at::assert_no_overlap(result, left);
  at::assert_no_overlap(result, right);
  const Operand a = as_operand(right), b = as_operand(left);
  const int64_t m = result.size(1), n = result.size(0), k = left.size(1);
  return at::cuda::blas::gemm_and_bias(dtype, m, n, k, alpha.to<float>(), a.matrix, b.matrix,
                                       self.const_data_ptr(), activation, result.mutable_data_ptr(), m);
}

REGISTER_CUDA_DISPATCH(product_stub, &product_cuda)

}  // namespace at::native
