// Formulas of LU factors. With A = P L U and K = inv(L) P^T dA inv(U), dL is L times K below the diagonal,
// and dU the rest of K times U; where A is not square, of its leading square block.
#include <ATen/native/linalg/formulas.h>

#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/lu_unpack.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using at::native::conjugate_transpose;

Tensor sum_of(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  return a.add(b);
}

// inv(L) B and inv(L)^H B; B inv(U) and B inv(U)^H.
Tensor below(const Tensor& L, const Tensor& B) {
  return at::linalg_solve_triangular(L, B, /*upper=*/false, /*left=*/true, /*unitriangular=*/true);
}
Tensor below_adjoint(const Tensor& L, const Tensor& B) {
  return at::linalg_solve_triangular(conjugate_transpose(L), B, /*upper=*/true, /*left=*/true,
                                     /*unitriangular=*/true);
}
Tensor beside(const Tensor& U, const Tensor& B) {
  return at::linalg_solve_triangular(U, B, /*upper=*/true, /*left=*/false);
}
Tensor beside_adjoint(const Tensor& U, const Tensor& B) {
  return at::linalg_solve_triangular(conjugate_transpose(U), B, /*upper=*/false, /*left=*/false);
}

Tensor rows_of(const Tensor& t, int64_t first, int64_t last) { return t.narrow(-2, first, last - first); }
Tensor columns_of(const Tensor& t, int64_t first, int64_t last) { return t.narrow(-1, first, last - first); }

}  // namespace

Tensor linalg_lu_backward(const Tensor& grad_L, const Tensor& grad_U, const Tensor& P, const Tensor& L,
                          const Tensor& U, bool pivot) {
  if (!grad_L.defined() && !grad_U.defined()) return {};
  const int64_t m = L.size(-2), n = U.size(-1), k = std::min(m, n);
  const Tensor square_L = m > k ? rows_of(L, 0, k) : L, square_U = n > k ? columns_of(U, 0, k) : U;
  // Below the diagonal and above it.
  Tensor lower, upper, more;
  if (grad_L.defined()) {
    lower = at::matmul(conjugate_transpose(square_L), m > k ? rows_of(grad_L, 0, k) : grad_L);
  }
  if (grad_U.defined()) {
    upper = at::matmul(n > k ? columns_of(grad_U, 0, k) : grad_U, conjugate_transpose(square_U));
  }
  if (m > k && grad_L.defined()) {
    const Tensor rest = rows_of(grad_L, k, m);
    upper = sum_of(upper, at::matmul(conjugate_transpose(rows_of(L, k, m)), rest).neg());
    more = beside_adjoint(square_U, rest);
  }
  if (n > k && grad_U.defined()) {
    const Tensor rest = columns_of(grad_U, k, n);
    lower = sum_of(lower, at::matmul(rest, conjugate_transpose(columns_of(U, k, n))).neg());
    more = below_adjoint(square_L, rest);
  }
  const Tensor inner =
      sum_of(lower.defined() ? lower.tril(-1) : lower, upper.defined() ? upper.triu() : upper);
  Tensor grad = beside_adjoint(square_U, below_adjoint(square_L, inner));
  if (m > k) {
    if (!more.defined()) more = at::zeros_like(rows_of(L, k, m));
    grad = at::cat({grad, more}, -2);
  } else if (n > k) {
    if (!more.defined()) more = at::zeros_like(columns_of(U, k, n));
    grad = at::cat({grad, more}, -1);
  }
  return pivot ? at::matmul(P, grad) : grad;
}

std::tuple<Tensor, Tensor> linalg_lu_jvp(const Tensor& dA, const Tensor& P, const Tensor& L, const Tensor& U,
                                         bool pivot) {
  const int64_t m = L.size(-2), n = U.size(-1), k = std::min(m, n);
  const Tensor change = pivot ? at::matmul(P.transpose(-2, -1), dA) : dA;
  const Tensor square_L = m > k ? rows_of(L, 0, k) : L, square_U = n > k ? columns_of(U, 0, k) : U;
  const Tensor square = m > k ? rows_of(change, 0, k) : n > k ? columns_of(change, 0, k) : change;
  const Tensor inner = beside(square_U, below(square_L, square));
  const Tensor lower = inner.tril(-1), upper = inner.triu();
  Tensor dL = at::matmul(square_L, lower), dU = at::matmul(upper, square_U);
  if (m > k) {
    const Tensor rest = beside(square_U, rows_of(change, k, m));
    dL = at::cat({dL, rest.sub(at::matmul(rows_of(L, k, m), upper))}, -2);
  } else if (n > k) {
    const Tensor rest = below(square_L, columns_of(change, k, n));
    dU = at::cat({dU, rest.sub(at::matmul(lower, columns_of(U, k, n)))}, -1);
  }
  return {std::move(dL), std::move(dU)};
}

Tensor lower_factor(const Tensor& LU) {
  const int64_t k = std::min(LU.size(-2), LU.size(-1));
  return columns_of(LU, 0, k).tril(-1);
}

Tensor upper_factor(const Tensor& LU) {
  const int64_t k = std::min(LU.size(-2), LU.size(-1));
  return rows_of(LU, 0, k).triu();
}

Tensor lu_factor_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots, bool pivot) {
  if (!grad.defined()) return {};
  const auto [P, L, U] = at::lu_unpack(LU, pivots, /*unpack_data=*/true, /*unpack_pivots=*/pivot);
  return linalg_lu_backward(lower_factor(grad), upper_factor(grad), P, L, U, pivot);
}

namespace {

// The two triangles in one matrix of m x n, below the diagonal and above it.
Tensor in_one(const Tensor& lower, const Tensor& upper, int64_t m, int64_t n) {
  const int64_t k = std::min(m, n);
  if (m > k) return at::cat({rows_of(lower, 0, k).add(upper), rows_of(lower, k, m)}, -2);
  if (n > k) return at::cat({columns_of(upper, 0, k).add(lower), columns_of(upper, k, n)}, -1);
  return lower.add(upper);
}

}  // namespace

Tensor lu_factor_jvp(const Tensor& dA, const Tensor& LU, const Tensor& pivots, bool pivot) {
  const auto [P, L, U] = at::lu_unpack(LU, pivots, /*unpack_data=*/true, /*unpack_pivots=*/pivot);
  const auto [dL, dU] = linalg_lu_jvp(dA, P, L, U, pivot);
  return in_one(dL, dU, LU.size(-2), LU.size(-1));
}

Tensor lu_unpack_backward(const Tensor& grad_L, const Tensor& grad_U, const SymInt& sym_rows,
                          const SymInt& sym_columns) {
  const int64_t rows = sym_rows.guard_int(__FILE__, __LINE__),
                columns = sym_columns.guard_int(__FILE__, __LINE__);
  if (!grad_L.defined() && !grad_U.defined()) return {};
  const Tensor& given = grad_L.defined() ? grad_L : grad_U;
  const int64_t k = std::min(rows, columns);
  const at::DimVector batch = at::native::batch_sizes(given);
  const Tensor lower = grad_L.defined() ? grad_L.tril(-1)
                                        : at::zeros(at::native::with_matrix(batch, rows, k), given.options());
  const Tensor upper = grad_U.defined()
                           ? grad_U.triu()
                           : at::zeros(at::native::with_matrix(batch, k, columns), given.options());
  return in_one(lower, upper, rows, columns);
}

// X A = B is A^H X^H = B^H. Of A X = B, with R = -inv(U)^H grad X^H, the gradients are R above the diagonal,
// for U, and inv(L)^H R U^H below it, for L; those of A^H X = B are found likewise.
Tensor lu_solve_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots, const Tensor& X,
                         bool left, bool adjoint) {
  if (!grad.defined()) return {};
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  const Tensor g = left ? grad : conjugate_transpose(grad), x = left ? X : conjugate_transpose(X);
  if (adjoint != left) {
    const Tensor over = at::linalg_solve_triangular(conjugate_transpose(U), g, /*upper=*/false);
    const Tensor R = at::matmul(over, conjugate_transpose(x)).neg();
    return below_adjoint(L, at::matmul(R, conjugate_transpose(U))).tril(-1).add(R.triu());
  }
  const Tensor exchange = P.transpose(-2, -1), y = at::matmul(exchange, x);
  const Tensor turned = conjugate_transpose(below(L, at::matmul(exchange, g)));
  const Tensor R = at::matmul(y, turned).neg();
  return beside_adjoint(U, at::matmul(conjugate_transpose(L), R)).triu().add(R.tril(-1));
}

Tensor lu_solve_jvp(const Tensor& X, const Tensor& LU, const Tensor& pivots, const Tensor& dLU,
                    const Tensor& dB, bool left, bool adjoint) {
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  const Tensor x = left ? X : conjugate_transpose(X), dL = dLU.tril(-1), dU = dLU.triu();
  Tensor change;
  if (adjoint != left) {
    const Tensor inner = below(L, at::matmul(dL, at::matmul(U, x))).add(at::matmul(dU, x));
    change = at::linalg_solve_triangular(U, inner.neg(), /*upper=*/true);
  } else {
    const Tensor y = at::matmul(P.transpose(-2, -1), x);
    const Tensor over = at::matmul(conjugate_transpose(dU), at::matmul(conjugate_transpose(L), y));
    const Tensor inner = at::linalg_solve_triangular(conjugate_transpose(U), over, /*upper=*/false)
                             .add(at::matmul(conjugate_transpose(dL), y));
    change = at::matmul(P, below_adjoint(L, inner.neg()));
  }
  return at::linalg_lu_solve(LU, pivots, dB, left, adjoint).add(left ? change : conjugate_transpose(change));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
