// Formulas of QR factors, of products of Householder reflectors, and of least squares.
#include <ATen/native/linalg/formulas.h>

#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using at::native::conjugate_transpose;

void check_qr_mode(const Tensor& Q, const Tensor& R, std::string_view mode) {
  TORCH_CHECK(mode != "r",
              "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
              "linalg.qr(A, mode='reduced') if you are going to require gradients.");
  TORCH_CHECK(mode != "complete" || Q.size(-2) <= R.size(-1),
              "The QR decomposition is not differentiable when mode='complete' and nrows > ncols");
}

// The triangle whose sum with its conjugate transpose is a Hermitian matrix.
Tensor upper_half(const Tensor& matrix) { return matrix.triu().add(matrix.triu(1)).mul(0.5); }

Tensor times_inverse(const Tensor& matrix, const Tensor& R) {
  return at::linalg_solve_triangular(R, matrix, /*upper=*/true, /*left=*/false);
}

// With K = Q^H dA inv(R): dR is half of K + K^H times R, and dQ = dA inv(R) - Q times that half. The adjoint
// of it.
Tensor square_qr_backward(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R) {
  Tensor inner;
  if (grad_R.defined()) inner = at::matmul(grad_R, conjugate_transpose(R));
  if (grad_Q.defined()) {
    const Tensor product = at::matmul(conjugate_transpose(Q), grad_Q);
    inner = inner.defined() ? inner.sub(product) : product.neg();
  }
  const Tensor half = upper_half(inner);
  Tensor outer = at::matmul(Q, half.add(conjugate_transpose(half)));
  if (grad_Q.defined()) outer = outer.add(grad_Q);
  return at::linalg_solve_triangular(conjugate_transpose(R), outer, /*upper=*/false, /*left=*/false);
}

}  // namespace

// The columns that a wide R has beyond Q's are Q^H times those of A.
Tensor qr_backward(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R,
                   std::string_view mode) {
  check_qr_mode(Q, R, mode);
  if (!grad_Q.defined() && !grad_R.defined()) return {};
  const int64_t k = Q.size(-1), more = R.size(-1) - k;
  if (more <= 0) return square_qr_backward(grad_Q, grad_R, Q, R);
  const Tensor leading = R.narrow(-1, 0, k), rest = R.narrow(-1, k, more);
  if (!grad_R.defined()) {
    const Tensor square = square_qr_backward(grad_Q, grad_R, Q, leading);
    return at::cat({square, at::zeros_like(rest)}, -1);
  }
  const Tensor outer = at::matmul(Q, grad_R.narrow(-1, k, more));
  const Tensor turned = at::matmul(outer, conjugate_transpose(rest));
  const Tensor all = grad_Q.defined() ? grad_Q.sub(turned) : turned.neg();
  return at::cat({square_qr_backward(all, grad_R.narrow(-1, 0, k), Q, leading), outer}, -1);
}

std::tuple<Tensor, Tensor> qr_jvp(const Tensor& dA, const Tensor& Q, const Tensor& R, std::string_view mode) {
  check_qr_mode(Q, R, mode);
  const int64_t k = Q.size(-1), more = R.size(-1) - k;
  const Tensor leading = more > 0 ? R.narrow(-1, 0, k) : R;
  const Tensor scaled = times_inverse(more > 0 ? dA.narrow(-1, 0, k) : dA, leading);
  const Tensor inner = at::matmul(conjugate_transpose(Q), scaled);
  const Tensor half = upper_half(inner.add(conjugate_transpose(inner)));
  const Tensor dQ = scaled.sub(at::matmul(Q, half));
  Tensor dR = at::matmul(half, leading);
  if (more > 0) {
    const Tensor change = dA.narrow(-1, k, more).sub(at::matmul(dQ, R.narrow(-1, k, more)));
    dR = at::cat({dR, at::matmul(conjugate_transpose(Q), change)}, -1);
  }
  return {dQ, std::move(dR)};
}

namespace {

// The vectors of reflectors, as columns: below a diagonal of ones.
Tensor reflector_vectors(const Tensor& input, int64_t count) {
  const Tensor lower = input.narrow(-1, 0, count).tril(-1);
  return lower.add(at::native::identity_matrix(input.size(-2), count, input.options()));
}

struct Reflectors {
  std::vector<Tensor> vectors, factors;  // of the first, which is applied last, to the last
};

Reflectors reflectors_of(const Tensor& input, const Tensor& tau) {
  Reflectors made;
  const int64_t count = tau.size(-1);
  const Tensor vectors = reflector_vectors(input, count);
  for (int64_t i = 0; i < count; ++i) {
    made.vectors.push_back(vectors.narrow(-1, i, 1));
    made.factors.push_back(tau.narrow(-1, i, 1).unsqueeze(-1));
  }
  return made;
}

// (I - tau v v^H) matrix
Tensor reflect(const Tensor& v, const Tensor& tau, const Tensor& matrix) {
  return matrix.sub(at::matmul(v.mul(tau), at::matmul(conjugate_transpose(v), matrix)));
}

struct ReflectorGradients {
  std::vector<Tensor> vectors, factors;
  Tensor matrix;
};

// The gradients of H_1 ... H_n matrix. Of H K, with the gradient G, that of tau is -v^H G K^H v, and that of
// v is -conj(tau) G K^H v - tau K G^H v.
ReflectorGradients reflections_backward(const Tensor& grad, const Reflectors& given, const Tensor& matrix) {
  const size_t count = given.vectors.size();
  std::vector<Tensor> behind(count);  // what each is applied to
  Tensor product = matrix;
  for (size_t i = count; i-- > 0;) {
    behind[i] = product;
    product = reflect(given.vectors[i], given.factors[i], product);
  }
  ReflectorGradients made{std::vector<Tensor>(count), std::vector<Tensor>(count), grad};
  for (size_t i = 0; i < count; ++i) {
    const Tensor &v = given.vectors[i], &tau = given.factors[i], &G = made.matrix, &K = behind[i];
    const Tensor forward = at::matmul(G, at::matmul(conjugate_transpose(K), v));
    const Tensor backward = at::matmul(K, at::matmul(conjugate_transpose(G), v));
    made.factors[i] = at::matmul(conjugate_transpose(v), forward).neg();
    made.vectors[i] = forward.mul(maybe_conj(tau)).add(backward.mul(tau)).neg();
    made.matrix = reflect(v, maybe_conj(tau), G);
  }
  return made;
}

// Columns without reflectors have no influence.
Tensor input_gradient(const std::vector<Tensor>& vectors, const Tensor& input) {
  if (vectors.empty()) return at::zeros_like(input);
  const Tensor grad = at::cat(vectors, -1).tril(-1);
  const int64_t count = static_cast<int64_t>(vectors.size()), more = input.size(-1) - count;
  return more > 0 ? at::cat({grad, at::zeros_like(input.narrow(-1, count, more))}, -1) : grad;
}

Tensor tau_gradient(const std::vector<Tensor>& factors, const Tensor& tau) {
  return factors.empty() ? at::zeros_like(tau) : at::cat(factors, -1).squeeze(-2);
}

}  // namespace

std::tuple<Tensor, Tensor> householder_product_backward(const Tensor& grad, const Tensor& input,
                                                        const Tensor& tau) {
  if (!grad.defined()) return {};
  const Tensor identity = at::native::identity_matrix(input.size(-2), input.size(-1), input.options());
  const ReflectorGradients found = reflections_backward(grad, reflectors_of(input, tau), identity);
  return {input_gradient(found.vectors, input), tau_gradient(found.factors, tau)};
}

Tensor householder_product_jvp(const Tensor& dinput, const Tensor& dtau, const Tensor& input,
                               const Tensor& tau) {
  const Reflectors given = reflectors_of(input, tau), change = reflectors_of(dinput, dtau);
  Tensor K = at::native::identity_matrix(input.size(-2), input.size(-1), input.options()),
         dK = at::zeros_like(input);
  for (size_t i = given.vectors.size(); i-- > 0;) {
    const Tensor &v = given.vectors[i], &t = given.factors[i];
    const Tensor dv = change.vectors[i].tril(-1 - static_cast<int64_t>(i)),
                 along = at::matmul(conjugate_transpose(v), K);
    const Tensor dH = at::matmul(v.mul(change.factors[i]).add(dv.mul(t)), along)
                          .add(at::matmul(v.mul(t), at::matmul(conjugate_transpose(dv), K)));
    dK = reflect(v, t, dK).sub(dH);
    K = reflect(v, t, K);
  }
  return dK;
}

// Q is the product of the reflectors, Q^H that of their conjugates from the last to the first; C Q is the
// conjugate transpose of Q^H C^H.
std::tuple<Tensor, Tensor, Tensor> ormqr_backward(const Tensor& grad, const Tensor& input, const Tensor& tau,
                                                  const Tensor& other, bool left, bool transpose,
                                                  std::array<bool, 3> wanted) {
  if (!grad.defined()) return {};
  Reflectors given = reflectors_of(input, tau);
  const bool reversed = left == transpose;
  if (reversed) {
    std::reverse(given.vectors.begin(), given.vectors.end());
    std::reverse(given.factors.begin(), given.factors.end());
    for (Tensor& factor : given.factors) factor = maybe_conj(factor);
  }
  ReflectorGradients found = reflections_backward(left ? grad : conjugate_transpose(grad), given,
                                                  left ? other : conjugate_transpose(other));
  if (reversed) {
    std::reverse(found.vectors.begin(), found.vectors.end());
    std::reverse(found.factors.begin(), found.factors.end());
    for (Tensor& factor : found.factors) factor = maybe_conj(factor);
  }
  return {wanted[0] ? input_gradient(found.vectors, input) : Tensor(),
          wanted[1] ? tau_gradient(found.factors, tau) : Tensor(),
          !wanted[2] ? Tensor()
          : left     ? found.matrix
                     : conjugate_transpose(found.matrix)};
}

std::tuple<Tensor, Tensor> lstsq_backward(const Tensor& grad, const Tensor& grad_residuals, const Tensor& A,
                                          const Tensor& B, const Tensor& X, std::array<bool, 2> wanted) {
  Tensor grad_a, grad_b;
  const bool vector = at::native::is_vector_side(A, B);
  const auto matrix = [vector](const Tensor& t) { return vector ? t.unsqueeze(-1) : t; };
  const Tensor b = matrix(B);
  if (grad.defined()) {
    const Tensor inverse = at::linalg_pinv(A), given = matrix(grad);
    if (wanted[0]) grad_a = pinv_backward(at::matmul(given, conjugate_transpose(b)), inverse, A);
    if (wanted[1]) grad_b = at::matmul(conjugate_transpose(inverse), given);
  }
  if (grad_residuals.defined() && grad_residuals.numel() > 0) {
    // Of the sum of squares of A X - B, in which X is the best one.
    const Tensor rest = at::matmul(A, matrix(X)).sub(b).mul(grad_residuals.unsqueeze(-2).mul(2));
    if (wanted[0]) {
      const Tensor more = at::matmul(rest, conjugate_transpose(matrix(X)));
      grad_a = grad_a.defined() ? grad_a.add(more) : more;
    }
    if (wanted[1]) grad_b = grad_b.defined() ? grad_b.sub(rest) : rest.neg();
  }
  return {std::move(grad_a), vector && grad_b.defined() ? grad_b.squeeze(-1) : grad_b};
}

Tensor lstsq_solution_jvp(const Tensor& A, const Tensor& B, const Tensor& dA, const Tensor& dB) {
  const bool vector = at::native::is_vector_side(A, B);
  const Tensor b = vector ? B.unsqueeze(-1) : B, db = vector ? dB.unsqueeze(-1) : dB;
  const Tensor inverse = at::linalg_pinv(A);
  const Tensor change = at::matmul(pinv_jvp(A, inverse, dA), b).add(at::matmul(inverse, db));
  return vector ? change.squeeze(-1) : change;
}

Tensor lstsq_residuals_jvp(const Tensor& A, const Tensor& B, const Tensor& dA, const Tensor& dB,
                           const Tensor& X, const Tensor& residuals) {
  if (residuals.numel() == 0) return at::zeros_like(residuals);
  const bool vector = at::native::is_vector_side(A, B);
  const auto matrix = [vector](const Tensor& t) { return vector ? t.unsqueeze(-1) : t; };
  const Tensor rest = at::matmul(A, matrix(X)).sub(matrix(B));
  const Tensor change = at::matmul(dA, matrix(X)).sub(matrix(dB));
  return real_part(maybe_conj(rest).mul(change)).sum({-2}).mul(2);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
