// Formulas of matrix products.
#include <ATen/native/formulas/formulas.h>

#include <ATen/ops/mm.h>
#include <ATen/ops/t.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// A weight is often handed over transposed. If its gradient lies in memory as it does, nothing is copied when
// the transposition is undone.
bool is_column_major(SymIntArrayRef strides) { return strides[0] == 1 && strides[1] != 1; }

}  // namespace

Tensor mm_mat1_backward(const Tensor& grad, const Tensor& mat2, SymIntArrayRef mat1_strides,
                        const Scalar& alpha) {
  const Tensor other = maybe_conj(mat2);
  const Tensor product = is_column_major(mat1_strides) ? other.mm(grad.t()).t() : grad.mm(other.t());
  return maybe_multiply(product, alpha.conj());
}

Tensor mm_mat2_backward(const Tensor& grad, const Tensor& mat1, SymIntArrayRef mat2_strides,
                        const Scalar& alpha) {
  const Tensor other = maybe_conj(mat1);
  const Tensor product = is_column_major(mat2_strides) ? grad.t().mm(other).t() : other.t().mm(grad);
  return maybe_multiply(product, alpha.conj());
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
