// Shape functions of the matrix products: mm, bmm, addmm.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/addmm_meta.h>
#include <ATen/ops/bmm_meta.h>
#include <ATen/ops/mm_meta.h>

namespace at::meta {

namespace {

void check_same_dtype(const Tensor& left, const Tensor& right, const char* left_name,
                      const char* right_name) {
  TORCH_CHECK(left.scalar_type() == right.scalar_type(), "expected ", left_name, " and ", right_name,
              " to have the same dtype, but got: ", left.scalar_type(), " != ", right.scalar_type());
}

void check_matrices(const Tensor& left, const Tensor& right) {
  TORCH_CHECK(left.size(1) == right.size(0), "mat1 and mat2 shapes cannot be multiplied (", left.size(0), "x",
              left.size(1), " and ", right.size(0), "x", right.size(1), ")");
}

}  // namespace

TORCH_META_FUNC(mm)(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 2, "self must be a matrix");
  TORCH_CHECK(mat2.dim() == 2, "mat2 must be a matrix");
  check_matrices(self, mat2);
  check_same_dtype(self, mat2, "m1", "m2");
  set_output_raw_strided(0, {self.size(0), mat2.size(1)}, {}, self.options());
}

TORCH_META_FUNC(addmm)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  TORCH_CHECK(mat1.dim() == 2, "mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  TORCH_CHECK(mat2.dim() == 2, "mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  check_matrices(mat1, mat2);
  check_same_dtype(mat1, mat2, "mat1", "mat2");
  TORCH_CHECK(self.scalar_type() == mat2.scalar_type(), "self and mat2 must have the same dtype, but got ",
              self.scalar_type(), " and ", mat2.scalar_type());
  const int64_t sizes[] = {mat1.size(0), mat2.size(1)};
  TORCH_CHECK(is_expandable_to(self.sizes(), sizes), "The expanded size of the tensor (", IntArrayRef(sizes),
              ") must match the existing size of self (", self.sizes(), ")");
  const bool whole = alpha.isIntegral(/*includeBool=*/true) && beta.isIntegral(/*includeBool=*/true);
  TORCH_CHECK(whole || !isIntegralType(mat1.scalar_type(), /*includeBool=*/true),
              "For integral input tensors, argument alpha and beta must not be floating point numbers.");
  set_output_raw_strided(0, sizes, {}, mat1.options());
}

TORCH_META_FUNC(bmm)(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(mat2.dim() == 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(mat2.size(0) == self.size(0) && mat2.size(1) == self.size(2),
              "Expected size for first two dimensions of batch2 tensor to be: [", self.size(0), ", ",
              self.size(2), "] but got: [", mat2.size(0), ", ", mat2.size(1), "].");
  check_same_dtype(self, mat2, "batch1", "batch2");
  set_output_raw_strided(0, {self.size(0), self.size(1), mat2.size(2)}, {}, self.options());
}

}  // namespace at::meta
