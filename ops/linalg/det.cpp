// Determinants: products of the diagonals of LU factors.
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_det.h>
#include <ATen/ops/_linalg_det_native.h>
#include <ATen/ops/_linalg_slogdet.h>
#include <ATen/ops/_linalg_slogdet_native.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/det_native.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_det_native.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_slogdet.h>
#include <ATen/ops/linalg_slogdet_native.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logdet_native.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sgn.h>
#include <ATen/ops/slogdet_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/transpose.h>

#include <limits>
#include <tuple>

namespace at::native {

namespace {

// 1 for an even number of exchanged rows, else -1.
Tensor sign_of_exchanges(const Tensor& pivots) {
  const Tensor own = at::arange(1, pivots.size(-1) + 1, pivots.options());
  return pivots.ne(own).sum(-1).remainder(2).mul(-2).add(1);
}

// Of a real row-major matrix the transpose is factored, which has the same determinant and needs no
// transposition.
void factor_for_det(const Tensor& A, const Tensor& LU, const Tensor& pivots) {
  Tensor info = at::empty({0}, A.options().dtype(kInt));
  const bool transposed = A.is_contiguous() && !A.is_complex();
  at::linalg_lu_factor_ex_outf(transposed ? A.transpose(-2, -1) : A, /*pivot=*/true, /*check_errors=*/false,
                               const_cast<Tensor&>(LU), const_cast<Tensor&>(pivots), info);
}

}  // namespace

TORCH_IMPL_FUNC(_linalg_det_out)
(const Tensor& A, const Tensor& result, const Tensor& LU, const Tensor& pivots) {
  factor_for_det(A, LU, pivots);
  at::mul_outf(LU.diagonal(0, -2, -1).prod(-1), sign_of_exchanges(pivots), const_cast<Tensor&>(result));
}

TORCH_IMPL_FUNC(_linalg_slogdet_out)
(const Tensor& A, const Tensor& sign, const Tensor& logabsdet, const Tensor& LU, const Tensor& pivots) {
  factor_for_det(A, LU, pivots);
  const Tensor diagonal = LU.diagonal(0, -2, -1);
  at::mul_outf(diagonal.sgn().prod(-1), sign_of_exchanges(pivots), const_cast<Tensor&>(sign));
  at::sum_outf(diagonal.abs().log_(), {-1}, /*keepdim=*/false, std::nullopt, const_cast<Tensor&>(logabsdet));
}

Tensor linalg_det(const Tensor& A) { return std::get<0>(at::_linalg_det(A)); }

Tensor& linalg_det_out(const Tensor& A, Tensor& out) {
  Tensor LU = at::empty({0}, A.options()), pivots = at::empty({0}, A.options().dtype(kInt));
  at::_linalg_det_outf(A, out, LU, pivots);
  return out;
}

Tensor det(const Tensor& self) { return at::linalg_det(self); }

std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  auto [sign, logabsdet, LU, pivots] = at::_linalg_slogdet(A);
  return {std::move(sign), std::move(logabsdet)};
}

std::tuple<Tensor&, Tensor&> linalg_slogdet_out(const Tensor& A, Tensor& sign, Tensor& logabsdet) {
  Tensor LU = at::empty({0}, A.options()), pivots = at::empty({0}, A.options().dtype(kInt));
  at::_linalg_slogdet_outf(A, sign, logabsdet, LU, pivots);
  return {sign, logabsdet};
}

std::tuple<Tensor, Tensor> slogdet(const Tensor& self) { return at::linalg_slogdet(self); }

std::tuple<Tensor&, Tensor&> slogdet_out(const Tensor& self, Tensor& sign, Tensor& logabsdet) {
  return at::linalg_slogdet_outf(self, sign, logabsdet);
}

Tensor logdet(const Tensor& self) {
  check_square(self, "logdet");
  check_float_or_complex(self, "logdet");
  const auto [sign, logabsdet] = at::linalg_slogdet(self);
  if (self.is_complex()) return logabsdet.add(sign.log());
  return logabsdet.masked_fill(sign.eq(-1), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace at::native
