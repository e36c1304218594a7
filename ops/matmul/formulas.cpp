// Formulas of matrix products.
#include <ATen/native/matmul/formulas.h>

#include <ATen/ops/_trilinear.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/t.h>
#include <ATen/ops/unsqueeze.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// A weight is often passed transposed. If its gradient has the same layout, nothing is copied when the
// transposition is undone.
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

Tensor addbmm_batches(const Tensor& grad, const Tensor& batch1) {
  return grad.unsqueeze(0).expand({batch1.size(0), grad.size(0), grad.size(1)});
}

// The gradient takes the result's place among the operands: summed dimensions are expanded.
std::tuple<Tensor, Tensor, Tensor> trilinear_backward(const Tensor& grad, const Tensor& i1, const Tensor& i2,
                                                      const Tensor& i3, IntArrayRef expand1,
                                                      IntArrayRef expand2, IntArrayRef expand3,
                                                      IntArrayRef sumdim, std::array<bool, 3> wanted) {
  std::tuple<Tensor, Tensor, Tensor> result;
  if (!grad.defined()) return result;
  if (wanted[0]) {
    std::get<0>(result) =
        at::_trilinear(grad, maybe_conj(i2), maybe_conj(i3), sumdim, expand2, expand3, expand1);
  }
  if (wanted[1]) {
    std::get<1>(result) =
        at::_trilinear(maybe_conj(i1), grad, maybe_conj(i3), expand1, sumdim, expand3, expand2);
  }
  if (wanted[2]) {
    std::get<2>(result) =
        at::_trilinear(maybe_conj(i1), maybe_conj(i2), grad, expand1, expand2, sumdim, expand3);
  }
  return result;
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
