// Formulas of linear systems, inverses and determinants. LU factors are used again unless the gradients are
// to have gradients: the factors have none, so these solve with the matrix itself.
#include <ATen/native/linalg/formulas.h>

#include <ATen/native/linalg/matrices.h>
#include <c10/core/GradMode.h>

#include <ATen/ops/add.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_backward.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_solve_ex.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using at::native::conjugate_transpose;

}  // namespace

Tensor inverse_backward(const Tensor& grad, const Tensor& inverse) {
  if (!grad.defined()) return {};
  const Tensor adjoint = conjugate_transpose(inverse);
  return at::matmul(adjoint, at::matmul(grad, adjoint)).neg();
}

Tensor inverse_jvp(const Tensor& dA, const Tensor& inverse) {
  return at::matmul(at::matmul(inverse, dA), inverse).neg();
}

// A X = B gives dX = inv(A) (dB - dA X), and X A = B gives dX = (dB - X dA) inv(A).
std::tuple<Tensor, Tensor> solve_backward(const Tensor& grad, const Tensor& X, const Tensor& A,
                                          const Tensor& LU, const Tensor& pivots, bool left,
                                          std::array<bool, 2> wanted) {
  if (!grad.defined() || (!wanted[0] && !wanted[1])) return {};
  const bool vector = at::native::is_vector_side(A, X);
  const auto matrix = [vector](const Tensor& t) { return vector ? t.unsqueeze(-1) : t; };
  const Tensor grad_b = c10::GradMode::is_enabled()
                            ? std::get<0>(at::linalg_solve_ex(conjugate_transpose(A), matrix(grad), left))
                            : at::linalg_lu_solve(LU, pivots, matrix(grad), left, /*adjoint=*/true);
  Tensor grad_a;
  if (wanted[0]) {
    const Tensor adjoint = conjugate_transpose(matrix(X));
    grad_a = (left ? at::matmul(grad_b, adjoint) : at::matmul(adjoint, grad_b)).neg();
  }
  return {std::move(grad_a), !wanted[1] ? Tensor() : vector ? grad_b.squeeze(-1) : grad_b};
}

Tensor solve_jvp(const Tensor& dA, const Tensor& dB, const Tensor& X, const Tensor& LU, const Tensor& pivots,
                 bool left) {
  const bool vector = at::native::is_vector_side(dA, X);
  const auto matrix = [vector](const Tensor& t) { return vector ? t.unsqueeze(-1) : t; };
  const Tensor product = left ? at::matmul(dA, matrix(X)) : at::matmul(matrix(X), dA);
  const Tensor dX = at::linalg_lu_solve(LU, pivots, matrix(dB).sub(product), left);
  return vector ? dX.squeeze(-1) : dX;
}

namespace {

// The matrices of A's size with these diagonals; with one number along each.
Tensor diagonal_matrix(const Tensor& diagonal, const Tensor& A) {
  return at::diagonal_backward(diagonal, A.sizes(), 0, -2, -1);
}
Tensor scalar_matrix(const Tensor& number, const Tensor& A) {
  return diagonal_matrix(number.unsqueeze(-1).expand(at::native::batch_sizes(A, 1)), A);
}

double epsilon_of(const Tensor& t) {
  const bool wide = c10::toRealValueType(t.scalar_type()) == at::kDouble;
  return wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
}

// A small number for each zero of the factors' diagonal, so that they can be used to solve.
Tensor regular(const Tensor& LU) {
  const Tensor zeros = LU.diagonal(0, -2, -1).eq(0).to(LU.scalar_type());
  return LU.add(diagonal_matrix(zeros.mul(epsilon_of(LU)), LU));
}

// inv(A)^H times a number for each matrix, even where A is singular.
Tensor adjoint_inverse_times(const Tensor& factor, const Tensor& A, const Tensor& det, const Tensor& LU,
                             const Tensor& pivots) {
  const Tensor diagonal = scalar_matrix(factor, A);
  if (!c10::GradMode::is_enabled()) {
    const bool transposed = A.is_contiguous() && !A.is_complex();
    return at::linalg_lu_solve(regular(LU), pivots, diagonal, /*left=*/true, /*adjoint=*/!transposed);
  }
  const Tensor singular = det.eq(0).to(A.scalar_type()).mul(epsilon_of(A));
  const Tensor moved = A.add(scalar_matrix(singular, A));
  return std::get<0>(at::linalg_solve_ex(conjugate_transpose(moved), diagonal));
}

Tensor trace_of(const Tensor& matrix) { return matrix.diagonal(0, -2, -1).sum(-1); }

// i times the imaginary part.
Tensor imaginary_part(const Tensor& t) { return t.sub(maybe_conj(t)).mul(0.5); }

}  // namespace

// d det = det trace(inv(A) dA)
Tensor det_backward(const Tensor& grad, const Tensor& det, const Tensor& A, const Tensor& LU,
                    const Tensor& pivots) {
  if (!grad.defined() || A.numel() == 0) return {};
  return adjoint_inverse_times(grad.mul(maybe_conj(det)), A, det, LU, pivots);
}

Tensor det_jvp(const Tensor& dA, const Tensor& det, const Tensor& LU, const Tensor& pivots, bool transposed) {
  const Tensor relative = at::linalg_lu_solve(regular(LU), pivots, dA, /*left=*/true, /*adjoint=*/transposed);
  return trace_of(relative).mul(det);
}

// With t = trace(inv(A) dA), that of the logarithm is the real part of t, that of the sign is its imaginary
// one times i and the sign.
Tensor slogdet_backward(const Tensor& grad_sign, const Tensor& grad_log, const Tensor& A, const Tensor& sign,
                        const Tensor& LU, const Tensor& pivots) {
  Tensor factor = grad_log;
  if (A.is_complex() && grad_sign.defined()) {
    const Tensor turned = imaginary_part(grad_sign.mul(maybe_conj(sign)));
    factor = factor.defined() ? turned.add(factor) : turned;
  }
  if (!factor.defined() || A.numel() == 0) return {};
  return adjoint_inverse_times(factor.to(A.scalar_type()), A, sign, LU, pivots);
}

std::tuple<Tensor, Tensor> slogdet_jvp(const Tensor& LU, const Tensor& pivots, const Tensor& dA,
                                       const Tensor& sign, bool transposed) {
  const Tensor trace = trace_of(at::linalg_lu_solve(LU, pivots, dA, /*left=*/true, /*adjoint=*/transposed));
  if (!trace.is_complex()) return {at::zeros_like(sign), trace};
  return {imaginary_part(trace).mul(sign), real_part(trace)};
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
