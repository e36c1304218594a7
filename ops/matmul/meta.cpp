// Meta functions of the matrix products: mm, bmm, addmm, _addmm_activation, baddbmm, addmv.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_addmm_activation_meta.h>
#include <ATen/ops/addmm_meta.h>
#include <ATen/ops/addmv_meta.h>
#include <ATen/ops/baddbmm_meta.h>
#include <ATen/ops/bmm_meta.h>
#include <ATen/ops/mm_meta.h>

namespace at::meta {

namespace {

void check_same_dtype(const Tensor& left, const Tensor& right, const char* left_name,
                      const char* right_name) {
  TORCH_CHECK(left.scalar_type() == right.scalar_type(), "expected ", left_name, " and ", right_name,
              " to have the same dtype, but got: ", left.scalar_type(), " != ", right.scalar_type());
}

// The term that is added to the product.
void check_added(const Tensor& self, const Tensor& right, const char* right_name, IntArrayRef sizes) {
  TORCH_CHECK(self.scalar_type() == right.scalar_type(), "self and ", right_name,
              " must have the same dtype, but got ", self.scalar_type(), " and ", right.scalar_type());
  TORCH_CHECK(is_expandable_to(self.sizes(), sizes), "The expanded size of the tensor (", sizes,
              ") must match the existing size of self (", self.sizes(), ")");
}

void check_factors(const Tensor& left, const Scalar& beta, const Scalar& alpha) {
  const bool whole = alpha.isIntegral(/*includeBool=*/true) && beta.isIntegral(/*includeBool=*/true);
  TORCH_CHECK(whole || !isIntegralType(left.scalar_type(), /*includeBool=*/true),
              "For integral input tensors, argument alpha and beta must not be floating point numbers.");
}

void check_batches(const Tensor& left, const Tensor& right) {
  TORCH_CHECK(left.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(right.dim() == 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(right.size(0) == left.size(0) && right.size(1) == left.size(2),
              "Expected size for first two dimensions of batch2 tensor to be: [", left.size(0), ", ",
              left.size(2), "] but got: [", right.size(0), ", ", right.size(1), "].");
  check_same_dtype(left, right, "batch1", "batch2");
}

void check_matrices(const Tensor& left, const Tensor& right) {
  TORCH_CHECK(left.size(1) == right.size(0), "mat1 and mat2 shapes cannot be multiplied (", left.size(0), "x",
              left.size(1), " and ", right.size(0), "x", right.size(1), ")");
}

// Checks the operands of addmm; returns the sizes of its result.
std::array<int64_t, 2> check_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                                   const Scalar& beta, const Scalar& alpha) {
  TORCH_CHECK(mat1.dim() == 2, "mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  TORCH_CHECK(mat2.dim() == 2, "mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  check_matrices(mat1, mat2);
  check_same_dtype(mat1, mat2, "mat1", "mat2");
  const std::array sizes{mat1.size(0), mat2.size(1)};
  check_added(self, mat2, "mat2", sizes);
  check_factors(mat1, beta, alpha);
  return sizes;
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
  set_output_raw_strided(0, check_addmm(self, mat1, mat2, beta, alpha), {}, mat1.options());
}

TORCH_META_FUNC(_addmm_activation)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
 bool /*use_gelu*/) {
  set_output_raw_strided(0, check_addmm(self, mat1, mat2, beta, alpha), {}, mat1.options());
}

TORCH_META_FUNC(addmv)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& /*beta*/, const Scalar& /*alpha*/) {
  TORCH_CHECK(mat.dim() == 2 && vec.dim() == 1 && self.dim() <= 1, "vector + matrix @ vector expected, got ",
              self.dim(), ", ", mat.dim(), ", ", vec.dim());
  TORCH_CHECK(mat.size(1) == vec.size(0), "size mismatch, got input (", mat.size(0), "), mat (", mat.size(0),
              "x", mat.size(1), "), vec (", vec.size(0), ")");
  check_same_dtype(mat, vec, "mat", "vec");
  const int64_t sizes[] = {mat.size(0)};
  check_added(self, vec, "vec", sizes);
  set_output_raw_strided(0, sizes, {}, vec.options());
}

TORCH_META_FUNC(bmm)(const Tensor& self, const Tensor& mat2) {
  check_batches(self, mat2);
  set_output_raw_strided(0, {self.size(0), self.size(1), mat2.size(2)}, {}, self.options());
}

TORCH_META_FUNC(baddbmm)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& /*beta*/,
 const Scalar& /*alpha*/) {
  check_batches(batch1, batch2);
  const int64_t sizes[] = {batch1.size(0), batch1.size(1), batch2.size(2)};
  check_added(self, batch2, "batch2", sizes);
  set_output_raw_strided(0, sizes, {}, batch2.options());
}

}  // namespace at::meta
