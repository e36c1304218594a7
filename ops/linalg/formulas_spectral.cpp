// Derivatives of decompositions into singular values or eigenvalues, and of what is computed by them.
//
// Vectors are determined up to a phase (a sign, of real ones), so only functions that don't depend on it have
// a gradient: for others complex vectors throw. Equal values give infinities.
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/formulas.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/matrix_exp.h>

#include <ATen/ops/add.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_scatter.h>
#include <ATen/ops/div.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using at::native::conjugate_transpose;

Tensor diagonal_of(const Tensor& t) { return t.diagonal(0, -2, -1); }
Tensor with_diagonal(const Tensor& t, const Tensor& diagonal) {
  return at::diagonal_scatter(t, diagonal, 0, -2, -1);
}

Tensor imaginary_diagonal(const Tensor& t) { return at::imag(diagonal_of(t)); }
Tensor i_times(const Tensor& t) { return t.mul(c10::complex<double>(0, 1)); }

// t_ij / (values_j - values_i), and 0 on the diagonal.
Tensor over_gaps(const Tensor& t, const Tensor& values) {
  const Tensor differences = values.unsqueeze(-2).sub(values.unsqueeze(-1));
  const Tensor gaps = with_diagonal(differences, at::ones_like(diagonal_of(differences)));
  const Tensor quotients = t.div(gaps);
  return with_diagonal(quotients, at::zeros_like(diagonal_of(quotients)));
}

Tensor skew(const Tensor& t) { return t.sub(conjugate_transpose(t)); }
Tensor sym(const Tensor& t) { return t.add(conjugate_transpose(t)); }

// Throws where a gradient has a part along the phases: `a` and `b` would cancel.
void check_phases(const char* name, const char* vectors, const Tensor& a, const Tensor& b) {
  if (a.is_meta() || !a.is_complex()) return;
  const Tensor left = imaginary_diagonal(a);
  const Tensor right = b.defined() ? imaginary_diagonal(b).neg() : at::zeros_like(left);
  TORCH_CHECK(
      at::allclose(left, right, /*rtol=*/1e-2, /*atol=*/1e-2), name, ": The ", vectors,
      " in the complex case are specified up to multiplication by e^{i phi}. The specified loss function "
      "depends on this phase term, making it ill-defined.");
}

}  // namespace

// With dP = U^H dA V, dS is the real part of its diagonal; dU = U W and dV = V Z for skew-Hermitian W and Z
// with dP = W S + dS - S Z. Off the diagonal
//   W_ij = (dP_ij s_j + s_i conj(dP_ji)) / (s_j^2 - s_i^2),  Z_ij = (s_i dP_ij + conj(dP_ji) s_j) / (s_j^2 -
//   s_i^2).
// On it the imaginary part of dP is shared by both, as no phase is preferred.
Tensor svd_backward(const Tensor& grad_U, const Tensor& grad_S, const Tensor& grad_Vh, const Tensor& U,
                    const Tensor& S, const Tensor& Vh) {
  if (!grad_U.defined() && !grad_S.defined() && !grad_Vh.defined()) return {};
  const int64_t m = U.size(-2), n = Vh.size(-1), k = S.size(-1);
  if (!grad_U.defined() && !grad_Vh.defined()) {
    return m >= n ? at::matmul(U, grad_S.unsqueeze(-1).mul(Vh)) : at::matmul(U.mul(grad_S.unsqueeze(-2)), Vh);
  }
  const Tensor u = grad_U.defined() ? at::matmul(conjugate_transpose(U), grad_U) : Tensor();
  const Tensor v = grad_Vh.defined() ? at::matmul(Vh, conjugate_transpose(grad_Vh)) : Tensor();
  check_phases("svd_backward", "singular vectors", u.defined() ? u : v, u.defined() ? v : Tensor());

  const Tensor squares = S.mul(S);
  Tensor inner;
  if (u.defined()) inner = over_gaps(skew(u), squares).mul(S.unsqueeze(-2));
  if (v.defined()) {
    const Tensor part = over_gaps(skew(v), squares).mul(S.unsqueeze(-1));
    inner = inner.defined() ? inner.add(part) : part;
  }
  Tensor diagonal = grad_S;
  if (u.defined() && v.defined() && u.is_complex()) {
    const Tensor phases = i_times(imaginary_diagonal(u).div(S));
    diagonal = diagonal.defined() ? phases.add(diagonal) : phases;
  }
  if (diagonal.defined()) inner = with_diagonal(inner, diagonal.to(inner.scalar_type()));

  if (m > k && u.defined()) {
    const Tensor beyond = grad_U.sub(at::matmul(U, u)).div(S.unsqueeze(-2));
    return at::matmul(at::matmul(U, inner).add(beyond), Vh);
  }
  if (n > k && v.defined()) {
    const Tensor beyond = grad_Vh.sub(at::matmul(conjugate_transpose(v), Vh)).div(S.unsqueeze(-1));
    return at::matmul(U, at::matmul(inner, Vh).add(beyond));
  }
  return m >= n ? at::matmul(U, at::matmul(inner, Vh)) : at::matmul(at::matmul(U, inner), Vh);
}

std::tuple<Tensor, Tensor, Tensor> linalg_svd_jvp(const Tensor& dA, const Tensor& U_, const Tensor& S,
                                                  const Tensor& Vh_, bool full_matrices) {
  const int64_t m = dA.size(-2), n = dA.size(-1), k = S.size(-1);
  const Tensor U = full_matrices ? U_.narrow(-1, 0, k) : U_, Vh = full_matrices ? Vh_.narrow(-2, 0, k) : Vh_;
  const Tensor left = at::matmul(conjugate_transpose(U), dA), right = at::matmul(dA, conjugate_transpose(Vh));
  const Tensor dP =
      m >= n ? at::matmul(left, conjugate_transpose(Vh)) : at::matmul(conjugate_transpose(U), right);
  const Tensor dS = real_part(diagonal_of(dP));
  const Tensor squares = S.mul(S);
  Tensor W = over_gaps(sym(dP.mul(S.unsqueeze(-2))), squares);
  Tensor Z = over_gaps(sym(dP.mul(S.unsqueeze(-1))), squares);
  if (dP.is_complex()) {
    const Tensor phases = i_times(imaginary_diagonal(dP).div(S).div(2));
    W = with_diagonal(W, phases);
    Z = with_diagonal(Z, phases.neg());
  }
  Tensor dU = at::matmul(U, W), dVh = at::matmul(Z, Vh).neg();
  if (m > k) dU = dU.add(right.sub(at::matmul(U, dP)).div(S.unsqueeze(-2)));
  if (n > k) dVh = dVh.add(left.sub(at::matmul(dP, Vh)).div(S.unsqueeze(-1)));
  if (full_matrices && m > k) dU = at::cat({dU, at::zeros_like(U_.narrow(-1, k, m - k))}, -1);
  if (full_matrices && n > k) dVh = at::cat({dVh, at::zeros_like(Vh_.narrow(-2, k, n - k))}, -2);
  return {dU, dS, dVh};
}

// With dP = V^-1 dA V, dL is its diagonal, and dV = V (dP_ij / (l_j - l_i)) off it; the columns keep their
// norm 1.
Tensor linalg_eig_backward(const Tensor& grad_L, const Tensor& grad_V, const Tensor& L, const Tensor& V,
                           bool is_hermitian) {
  if (!grad_L.defined() && !grad_V.defined()) return {};
  const Tensor Vh = conjugate_transpose(V);
  const auto outer = [&](const Tensor& inner_times_Vh) {
    return is_hermitian ? at::matmul(V, inner_times_Vh) : at::linalg_solve(Vh, inner_times_Vh);
  };
  if (!grad_V.defined()) return outer(grad_L.unsqueeze(-1).mul(Vh));

  const char* name = is_hermitian ? "linalg_eigh_backward" : "linalg_eig_backward";
  const Tensor v = at::matmul(Vh, grad_V);
  check_phases(name, "eigenvectors", v, {});
  Tensor inner;
  if (is_hermitian) {
    // The part along Hermitian matrices doesn't move the vectors, which stay orthonormal.
    inner = over_gaps(skew(v).div(2), L);
  } else {
    const Tensor along = at::matmul(Vh, V.mul(real_part(diagonal_of(v)).unsqueeze(-2)));
    inner = over_gaps(v.sub(along), maybe_conj(L));
  }
  if (grad_L.defined()) inner = with_diagonal(inner, grad_L.to(inner.scalar_type()));
  return outer(at::matmul(inner, Vh));
}

std::tuple<Tensor, Tensor> linalg_eig_jvp(const Tensor& dA, const Tensor& L, const Tensor& V,
                                          bool is_hermitian) {
  const Tensor Vh = conjugate_transpose(V);
  const Tensor moved = at::matmul(dA.to(V.scalar_type()), V);
  const Tensor dP = is_hermitian ? at::matmul(Vh, moved) : at::linalg_solve(V, moved);
  const Tensor diagonal = diagonal_of(dP);
  const Tensor dV = at::matmul(V, over_gaps(dP, L));
  if (is_hermitian) return {real_part(diagonal), dV};
  const Tensor growth = real_part(diagonal_of(at::matmul(Vh, dV)));
  return {diagonal, dV.sub(V.mul(growth.unsqueeze(-2)))};
}

// dP = -P dA P + P P^H dA^H (1 - A P) + (1 - P A) dA^H P^H P; the smaller of the two products of P and its
// gradient is computed first.
Tensor pinv_backward(const Tensor& grad, const Tensor& pinv, const Tensor& A) {
  const Tensor P_h = conjugate_transpose(pinv), grad_h = conjugate_transpose(grad);
  if (A.size(-2) <= A.size(-1)) {
    const Tensor K = at::matmul(grad_h, pinv), K_P_h = at::matmul(K, P_h);
    const Tensor inner = at::matmul(at::matmul(P_h, pinv), grad_h.sub(at::matmul(K, A)));
    const Tensor outer = K_P_h.sub(at::matmul(A, at::matmul(pinv, K_P_h)));
    return outer.add(inner).sub(conjugate_transpose(at::matmul(pinv, K)));
  }
  const Tensor K = at::matmul(pinv, grad_h), P_h_K = at::matmul(P_h, K);
  const Tensor inner = at::matmul(grad_h.sub(at::matmul(A, K)), at::matmul(pinv, P_h));
  const Tensor outer = P_h_K.sub(at::matmul(at::matmul(P_h_K, pinv), A));
  return outer.add(inner).sub(conjugate_transpose(at::matmul(K, pinv)));
}

Tensor pinv_jvp(const Tensor& A, const Tensor& pinv, const Tensor& dA) {
  const Tensor P_h = conjugate_transpose(pinv), dA_h = conjugate_transpose(dA);
  const Tensor first = at::matmul(at::matmul(pinv, dA), pinv);
  const Tensor left = at::matmul(at::matmul(pinv, P_h), dA_h);   // n x m
  const Tensor right = at::matmul(dA_h, at::matmul(P_h, pinv));  // n x m
  const Tensor second = left.sub(at::matmul(at::matmul(left, A), pinv));
  const Tensor third = right.sub(at::matmul(pinv, at::matmul(A, right)));
  return second.add(third).sub(first);
}

Tensor linalg_matrix_exp_differential(const Tensor& self, const Tensor& grad, bool adjoint) {
  return at::native::matrix_exp_differential(self, grad, adjoint);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
