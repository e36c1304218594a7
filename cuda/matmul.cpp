// Matrix products on CUDA: mm, bmm, addmm, addmv, dot and their kin, all one call of cuBLAS's gemm.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDABlas.h>

#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/vdot_native.h>
#include <ATen/ops/zero.h>

#include <algorithm>

namespace at::native {

namespace {

using at::cuda::blas::Matrix;

// Whether the last two dimensions can be read as rows with a fixed distance, or (transposed) as columns.
bool has_unit_stride(const Tensor& t, int64_t dim, int64_t other) {
  return (t.stride(dim) == 1 || t.size(dim) == 1) &&
         (t.size(other) == 1 || t.stride(other) >= std::max<int64_t>(t.size(dim), 1));
}

struct Operand {
  Tensor held;  // the given tensor, or a copy without gaps
  Matrix matrix;
};

// cuBLAS reads columns: a row-major matrix is its transpose there.
Operand as_operand(const Tensor& given) {
  const int64_t rows = given.dim() - 2, columns = given.dim() - 1;
  const bool by_rows = has_unit_stride(given, columns, rows);
  const bool usable = by_rows || has_unit_stride(given, rows, columns);
  const Tensor t = usable ? given : given.contiguous();
  const bool row_major = by_rows || !usable;
  const int64_t line = row_major ? rows : columns, along = row_major ? columns : rows;
  const int64_t ld = t.size(line) == 1 ? std::max<int64_t>(t.size(along), 1) : t.stride(line);
  return {t, {t.const_data_ptr(), !row_major, ld, t.dim() > 2 ? t.stride(0) : 0}};
}

// result = alpha * left @ right + beta * result. In columns that is result' = right' @ left'.
void multiply(const Tensor& result, const Tensor& left, const Tensor& right, const Scalar& beta,
              const Scalar& alpha) {
  if (result.numel() == 0) return;
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, left);
  at::assert_no_overlap(result, right);
  const int64_t dim = result.dim(), k = left.size(dim - 1);
  if (k == 0) {
    if (beta.toComplexDouble() == 0.0) {
      const_cast<Tensor&>(result).zero_();
    } else {
      const_cast<Tensor&>(result).mul_(beta);
    }
    return;
  }
  if (!result.is_contiguous()) {
    const Tensor dense = result.contiguous();
    multiply(dense, left, right, beta, alpha);
    const_cast<Tensor&>(result).copy_(dense);
    return;
  }
  const Operand a = as_operand(right), b = as_operand(left);
  const int64_t m = result.size(dim - 1), n = result.size(dim - 2), batch = dim > 2 ? result.size(0) : 1;
  at::cuda::blas::gemm(result.scalar_type(), m, n, k, batch, alpha, a.matrix, b.matrix, beta,
                       result.mutable_data_ptr(), m, m * n);
}

// result = beta * self + alpha * left @ right, self broadcast to it.
void multiply_and_add(const Tensor& result, const Tensor& self, const Tensor& left, const Tensor& right,
                      const Scalar& beta, const Scalar& alpha) {
  if (beta.toComplexDouble() != 0.0 && !result.is_same(self)) {
    const_cast<Tensor&>(result).copy_(self.expand(result.sizes()));
  }
  multiply(result, left, right, beta, alpha);
}

}  // namespace

TORCH_IMPL_FUNC(mm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(bmm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(addmm_out_cuda)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_and_add(result, self, mat1, mat2, beta, alpha);
}

TORCH_IMPL_FUNC(baddbmm_out_cuda)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_and_add(result, self, batch1, batch2, beta, alpha);
}

TORCH_IMPL_FUNC(addmv_out_cuda)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  const Tensor column = self.dim() == 1 ? self.unsqueeze(1) : self;
  const Tensor out = result.unsqueeze(1);
  multiply_and_add(out, result.is_same(self) ? out : column, mat, vec.unsqueeze(1), beta, alpha);
}

Tensor dot_cuda(const Tensor& self, const Tensor& tensor) {
  TORCH_CHECK(self.dim() == 1 && tensor.dim() == 1, "1D tensors expected, but got ", self.dim(), "D and ",
              tensor.dim(), "D tensors");
  TORCH_CHECK(self.scalar_type() == tensor.scalar_type(),
              "dot : expected both vectors to have same dtype, but found ", self.scalar_type(), " and ",
              tensor.scalar_type());
  TORCH_CHECK(self.numel() == tensor.numel(), "inconsistent tensor size, expected tensor [", self.numel(),
              "] and src [", tensor.numel(), "] to have the same number of elements, but got ", self.numel(),
              " and ", tensor.numel(), " elements respectively");
  // In float where elements have 16 bits, so that their products aren't rounded before they are added up.
  const ScalarType dtype = isReducedFloatingType(self.scalar_type()) ? kFloat : self.scalar_type();
  return at::mul(self.to(dtype), tensor.to(dtype)).sum(self.scalar_type());
}

Tensor vdot_cuda(const Tensor& self, const Tensor& other) {
  return dot_cuda(self.is_complex() ? at::conj_physical(self) : self, other);
}

}  // namespace at::native
