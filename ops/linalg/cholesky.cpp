// linalg_cholesky and its kin, by the factorization that reports its errors in a tensor.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/_cholesky_solve_helper.h>
#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/cholesky.h>
#include <ATen/ops/cholesky_native.h>
#include <ATen/ops/cholesky_solve.h>
#include <ATen/ops/cholesky_solve_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/linalg_cholesky_native.h>

#include <tuple>

namespace at::native {

Tensor linalg_cholesky(const Tensor& A, bool upper) {
  auto [L, info] = at::linalg_cholesky_ex(A, upper, /*check_errors=*/false);
  at::_linalg_check_errors(info, "linalg.cholesky", A.dim() == 2);
  return L;
}

Tensor& linalg_cholesky_out(const Tensor& A, bool upper, Tensor& L) {
  // The errors of a Meta tensor, too, need a tensor.
  Tensor info = at::empty({0}, A.options().dtype(kInt));
  at::linalg_cholesky_ex_outf(A, upper, /*check_errors=*/false, L, info);
  at::_linalg_check_errors(info, "linalg.cholesky", A.dim() == 2);
  return L;
}

Tensor cholesky(const Tensor& self, bool upper) {
  check_square(self, "cholesky");
  auto [L, info] = at::linalg_cholesky_ex(self, upper, /*check_errors=*/false);
  at::_linalg_check_errors(info, "cholesky", self.dim() == 2);
  return L;
}

Tensor& cholesky_out(const Tensor& self, bool upper, Tensor& out) {
  return write_result("cholesky", out, at::cholesky(self, upper));
}

Tensor cholesky_solve(const Tensor& self, const Tensor& A, bool upper) {
  TORCH_CHECK(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(),
              " dimensions instead");
  TORCH_CHECK(A.dim() >= 2, "u should have at least 2 dimensions, but has ", A.dim(), " dimensions instead");
  check_one_dtype(A, self, "cholesky_solve");
  check_solve_sizes(A, self, /*left=*/true, "cholesky_solve");
  const auto [factor, right] = broadcast_batches(A, self);
  return at::_cholesky_solve_helper(right, factor, upper);
}

Tensor& cholesky_solve_out(const Tensor& self, const Tensor& A, bool upper, Tensor& out) {
  return write_result("cholesky_solve", out, at::cholesky_solve(self, A, upper));
}

}  // namespace at::native
