// Formulas of factorizations and of triangular systems. All of a factor's gradient that its triangle leaves
// out has no influence.
#include <ATen/native/linalg/formulas.h>

#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cholesky_solve.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/triangular_solve.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using at::native::conjugate_transpose;

Tensor triangle_of(const Tensor& matrix, bool upper, bool unitriangular) {
  return upper ? matrix.triu(unitriangular ? 1 : 0) : matrix.tril(unitriangular ? -1 : 0);
}

// The triangle whose sum with its conjugate transpose is a Hermitian matrix.
Tensor half_of_hermitian(const Tensor& matrix) { return matrix.tril().add(matrix.tril(-1)).mul(0.5); }

}  // namespace

// With A = L L^H, M = inv(L) dA inv(L)^H is inv(L) dL and its conjugate transpose, so dL = L half(M). The
// adjoint of this gives the gradient.
Tensor cholesky_backward(const Tensor& grad, bool upper, const Tensor& L) {
  if (!grad.defined()) return {};
  const Tensor lower = upper ? conjugate_transpose(L) : L, adjoint = upper ? L : conjugate_transpose(L);
  const Tensor triangle = at::matmul(adjoint, upper ? conjugate_transpose(grad) : grad).tril();
  const Tensor hermitian = triangle.add(conjugate_transpose(triangle.tril(-1))).mul(0.5);
  const Tensor left = at::linalg_solve_triangular(adjoint, hermitian, /*upper=*/true);
  return at::linalg_solve_triangular(lower, left, /*upper=*/false, /*left=*/false);
}

Tensor cholesky_jvp(const Tensor& dA, const Tensor& L, bool upper) {
  const Tensor lower = upper ? conjugate_transpose(L) : L, adjoint = upper ? L : conjugate_transpose(L);
  const Tensor left = at::linalg_solve_triangular(lower, dA, /*upper=*/false);
  const Tensor change = at::linalg_solve_triangular(adjoint, left, /*upper=*/true, /*left=*/false);
  const Tensor dL = at::matmul(lower, half_of_hermitian(change));
  return upper ? conjugate_transpose(dL) : dL;
}

std::tuple<Tensor, Tensor> cholesky_solve_backward(const Tensor& grad, const Tensor& factor, const Tensor& X,
                                                   bool upper, std::array<bool, 2> wanted) {
  if (!grad.defined() || (!wanted[0] && !wanted[1])) return {};
  const Tensor grad_b = at::cholesky_solve(grad, factor, upper);
  Tensor grad_factor;
  if (wanted[1]) {
    const Tensor product = at::matmul(grad_b, conjugate_transpose(X));
    const Tensor both = product.add(conjugate_transpose(product)).neg();
    grad_factor = upper ? at::matmul(factor, both) : at::matmul(both, factor);
  }
  return {wanted[0] ? grad_b : Tensor(), std::move(grad_factor)};
}

namespace {

// The tangent of L L^H, or of U^H U.
Tensor square_jvp(const Tensor& factor, const Tensor& dfactor, bool upper) {
  const Tensor product = upper ? at::matmul(conjugate_transpose(dfactor), factor)
                               : at::matmul(dfactor, conjugate_transpose(factor));
  return product.add(conjugate_transpose(product));
}

}  // namespace

Tensor cholesky_solve_jvp(const Tensor& X, const Tensor& factor, const Tensor& dfactor, const Tensor& dB,
                          bool upper) {
  const Tensor change = at::matmul(square_jvp(factor, dfactor, upper), X);
  return at::cholesky_solve(dB.sub(change), factor, upper);
}

Tensor cholesky_inverse_backward(const Tensor& grad, const Tensor& factor, bool upper,
                                 const Tensor& inverse) {
  if (!grad.defined()) return {};
  const Tensor both = grad.add(conjugate_transpose(grad));
  const Tensor middle = at::matmul(inverse, at::matmul(both, inverse)).neg();
  return upper ? at::matmul(factor, middle) : at::matmul(middle, factor);
}

Tensor cholesky_inverse_jvp(const Tensor& factor, const Tensor& dfactor, const Tensor& inverse, bool upper) {
  return at::matmul(at::matmul(inverse, square_jvp(factor, dfactor, upper)), inverse).neg();
}

// A X = B gives dX = inv(A) (dB - dA X), and X A = B gives dX = (dB - X dA) inv(A).
std::tuple<Tensor, Tensor> solve_triangular_backward(const Tensor& grad, const Tensor& A, const Tensor& X,
                                                     bool upper, bool left, bool unitriangular,
                                                     std::array<bool, 2> wanted) {
  if (!grad.defined() || (!wanted[0] && !wanted[1])) return {};
  const Tensor grad_b =
      at::linalg_solve_triangular(conjugate_transpose(A), grad, !upper, left, unitriangular);
  Tensor grad_a;
  if (wanted[0]) {
    const Tensor adjoint = conjugate_transpose(X);
    const Tensor product = left ? at::matmul(grad_b, adjoint) : at::matmul(adjoint, grad_b);
    grad_a = triangle_of(product.neg(), upper, unitriangular);
  }
  return {std::move(grad_a), wanted[1] ? grad_b : Tensor()};
}

Tensor solve_triangular_jvp(const Tensor& dA, const Tensor& dB, const Tensor& A, const Tensor& X, bool upper,
                            bool left, bool unitriangular) {
  const Tensor change = triangle_of(dA, upper, unitriangular);
  const Tensor product = left ? at::matmul(change, X) : at::matmul(X, change);
  return at::linalg_solve_triangular(A, dB.sub(product), upper, left, unitriangular);
}

std::tuple<Tensor, Tensor> triangular_solve_backward(const Tensor& grad, const Tensor& grad_copy,
                                                     const Tensor& A, const Tensor& X, bool upper,
                                                     bool transpose, bool unitriangular,
                                                     std::array<bool, 2> wanted) {
  Tensor grad_a, grad_b;
  if (grad.defined() && (wanted[0] || wanted[1])) {
    grad_b = std::get<0>(at::triangular_solve(grad, maybe_conj(A), upper, !transpose, unitriangular));
    if (wanted[1]) {
      const Tensor product = transpose ? at::matmul(maybe_conj(X), grad_b.transpose(-2, -1))
                                       : at::matmul(grad_b, conjugate_transpose(X));
      grad_a = triangle_of(product.neg(), upper, unitriangular);
    }
  }
  if (wanted[1] && grad_copy.defined()) grad_a = grad_a.defined() ? grad_a.add(grad_copy) : grad_copy;
  return {wanted[0] ? grad_b : Tensor(), std::move(grad_a)};
}

Tensor triangular_solve_jvp(const Tensor& X, const Tensor& A, const Tensor& dA, const Tensor& dB, bool upper,
                            bool transpose, bool unitriangular) {
  const Tensor change = triangle_of(dA, upper, unitriangular);
  const Tensor product = at::matmul(transpose ? change.transpose(-2, -1) : change, X);
  return std::get<0>(at::triangular_solve(dB.sub(product), A, upper, transpose, unitriangular));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
