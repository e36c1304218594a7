// LDL factors, by the factorization that reports its errors in a tensor.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_ldl_factor_ex.h>
#include <ATen/ops/linalg_ldl_factor_native.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian) {
  auto [LD, pivots, info] = at::linalg_ldl_factor_ex(self, hermitian, /*check_errors=*/false);
  at::_linalg_check_errors(info, "torch.linalg.ldl_factor", self.dim() == 2);
  return {std::move(LD), std::move(pivots)};
}

std::tuple<Tensor&, Tensor&> linalg_ldl_factor_out(const Tensor& self, bool hermitian, Tensor& LD,
                                                   Tensor& pivots) {
  Tensor info = at::empty({0}, self.options().dtype(kInt));
  at::linalg_ldl_factor_ex_outf(self, hermitian, /*check_errors=*/false, LD, pivots, info);
  at::_linalg_check_errors(info, "torch.linalg.ldl_factor", self.dim() == 2);
  return {LD, pivots};
}

}  // namespace at::native
