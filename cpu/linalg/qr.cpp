// QR factors by LAPACK.
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/householder.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/linalg_qr_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/zero.h>

#include <algorithm>

namespace at::native {

TORCH_IMPL_FUNC(linalg_qr_out)(const Tensor& A, std::string_view mode, const Tensor& Q, const Tensor& R) {
  const bool with_q = std::get<0>(parse_qr_mode(mode));
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  if (A.numel() == 0) {
    if (with_q && Q.numel() > 0) const_cast<Tensor&>(Q).zero_().diagonal(0, -2, -1).fill_(1);
    return;
  }
  const Tensor factors = copy_column_major(A);
  DimVector tau_sizes = batch_sizes(A);
  tau_sizes.push_back(k);
  const Tensor tau = at::empty(tau_sizes, A.options());
  factor_qr(factors, tau);
  const int64_t rows = R.size(-2);
  if (rows < m) {
    at::triu_outf(factors.narrow(-2, 0, rows), 0, const_cast<Tensor&>(R));
  } else {
    at::triu_outf(factors, 0, const_cast<Tensor&>(R));
  }
  if (!with_q) return;
  const int64_t kept = std::min(k, Q.size(-1));
  Q.narrow(-1, 0, kept).copy_(factors.narrow(-1, 0, kept));
  // Columns beyond the reflectors are made of the identity's; they need only be numbers.
  if (kept < Q.size(-1)) Q.narrow(-1, kept, Q.size(-1) - kept).zero_();
  multiply_reflectors(Q, tau);
}

}  // namespace at::native
