// LU factors, by the factorization that reports its errors in a tensor.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/_lu_with_info_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_lu_factor_native.h>
#include <ATen/ops/linalg_lu_native.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/lu_solve_native.h>
#include <ATen/ops/lu_unpack.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  auto [LU, pivots, info] = at::linalg_lu_factor_ex(A, pivot, /*check_errors=*/false);
  at::_linalg_check_errors(info, "torch.linalg.lu_factor", A.dim() == 2);
  return {std::move(LU), std::move(pivots)};
}

std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(const Tensor& A, bool pivot, Tensor& LU, Tensor& pivots) {
  Tensor info = at::empty({0}, A.options().dtype(kInt));
  at::linalg_lu_factor_ex_outf(A, pivot, /*check_errors=*/false, LU, pivots, info);
  at::_linalg_check_errors(info, "torch.linalg.lu_factor", A.dim() == 2);
  return {LU, pivots};
}

std::tuple<Tensor, Tensor, Tensor> _lu_with_info(const Tensor& self, bool pivot, bool check_errors) {
  return at::linalg_lu_factor_ex(self, pivot, check_errors);
}

TORCH_IMPL_FUNC(linalg_lu_out)
(const Tensor& A, bool pivot, const Tensor& P, const Tensor& L, const Tensor& U) {
  const auto [LU, pivots, info] = at::linalg_lu_factor_ex(A, pivot, /*check_errors=*/false);
  at::lu_unpack_outf(LU, pivots, /*unpack_data=*/true, /*unpack_pivots=*/pivot, const_cast<Tensor&>(P),
                     const_cast<Tensor&>(L), const_cast<Tensor&>(U));
}

Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return at::linalg_lu_solve(LU_data, LU_pivots, self);
}

Tensor& lu_solve_out(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots, Tensor& out) {
  return at::linalg_lu_solve_outf(LU_data, LU_pivots, self, /*left=*/true, /*adjoint=*/false, out);
}

}  // namespace at::native
