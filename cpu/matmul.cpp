// Matrix products on the CPU: mm, bmm, addmm, addmv, dot and their kin. All of them are one call of the gemm
// kernel, which takes any strides.
#include <ATen/native/cpu/gemm.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/DotChecks.h>

#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/vdot_native.h>

namespace at::native {

namespace {

// The last two dimensions of t as a matrix, an earlier one (if any) as the batch.
GemmMatrix as_matrix(const Tensor& t) {
  const int64_t dim = t.dim();
  return {t.const_data_ptr(), dim > 2 ? t.stride(0) : 0, t.stride(dim - 2), t.stride(dim - 1)};
}

void multiply(const Tensor& result, const Tensor& left, const Tensor& right, const Scalar& beta,
              const Scalar& alpha) {
  if (result.numel() == 0) {
    return;
  }
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, left);
  at::assert_no_overlap(result, right);
  const int64_t dim = result.dim();
  if (left.size(dim - 1) == 0 && beta.toComplexDouble() == 0.0) {  // sums of nothing, of any dtype
    const_cast<Tensor&>(result).zero_();
    return;
  }
  gemm_stub(kCPU, result.scalar_type(),
            GemmProblem{dim > 2 ? result.size(0) : 1, left.size(dim - 2), right.size(dim - 1),
                        left.size(dim - 1), as_matrix(left), as_matrix(right), result.mutable_data_ptr(),
                        dim > 2 ? result.stride(0) : 0, result.stride(dim - 2), result.stride(dim - 1), alpha,
                        beta});
}

// result = beta * self + alpha * left @ right, self broadcast to it.
void multiply_and_add(const Tensor& result, const Tensor& self, const Tensor& left, const Tensor& right,
                      const Scalar& beta, const Scalar& alpha) {
  const bool reads_self = beta.toComplexDouble() != 0.0;
  if (reads_self && !result.is_same(self)) {
    const_cast<Tensor&>(result).copy_(self.expand(result.sizes()));
  }
  multiply(result, left, right, beta, alpha);
}

Tensor dot_product(const Tensor& self, const Tensor& tensor, bool conjugate) {
  dot_check(self, tensor);
  Tensor result = at::empty({}, self.options());
  const GemmMatrix row{self.const_data_ptr(), 0, 0, self.stride(0), conjugate && self.is_complex()};
  const GemmMatrix column{tensor.const_data_ptr(), 0, tensor.stride(0), 0};
  gemm_stub(kCPU, self.scalar_type(),
            GemmProblem{1, 1, 1, self.numel(), row, column, result.mutable_data_ptr(), 0, 1, 1, 1, 0});
  return result;
}

}  // namespace

TORCH_IMPL_FUNC(mm_out_cpu)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(bmm_out_cpu)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  multiply(result, self, mat2, /*beta=*/0, /*alpha=*/1);
}

TORCH_IMPL_FUNC(addmm_out_cpu)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_and_add(result, self, mat1, mat2, beta, alpha);
}

TORCH_IMPL_FUNC(baddbmm_out_cpu)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  multiply_and_add(result, self, batch1, batch2, beta, alpha);
}

TORCH_IMPL_FUNC(addmv_out_cpu)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  const Tensor column = self.dim() == 1 ? self.unsqueeze(1) : self;
  const Tensor out = result.unsqueeze(1);
  multiply_and_add(out, result.is_same(self) ? out : column, mat, vec.unsqueeze(1), beta, alpha);
}

Tensor dot(const Tensor& self, const Tensor& tensor) { return dot_product(self, tensor, false); }

Tensor vdot(const Tensor& self, const Tensor& other) { return dot_product(self, other, true); }

}  // namespace at::native
