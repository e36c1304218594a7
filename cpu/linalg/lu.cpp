// LU factors by LAPACK: factorization, solution of systems, unpacking.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/operands.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/linalg_lu_factor_ex_native.h>
#include <ATen/ops/linalg_lu_solve_native.h>
#include <ATen/ops/lu_unpack_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

#include <algorithm>
#include <numeric>

namespace at::native {

namespace {

template <class T>
void factor_lu_batch(const Tensor& LU, const Tensor& pivots, const Tensor& info) {
  const int64_t rows = LU.size(-2), columns = LU.size(-1), count = std::min(rows, columns);
  const lapack::Int m = lapack::narrow(rows), n = lapack::narrow(columns);
  T* const matrices = LU.mutable_data_ptr<T>();
  int* const exchanges = pivots.mutable_data_ptr<int>();
  int* const infos = info.mutable_data_ptr<int>();
  const double operations =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(count);
  lapack::for_each_matrix(info.numel(), operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      lapack::call<T, "getrf">(m, n, matrices + i * rows * columns, m, exchanges + i * count, infos + i);
    }
  });
}

// LAPACK takes them for rows to read and write.
void check_pivots(const Tensor& pivots, int64_t rows, const char* name) {
  const Tensor dense = pivots.contiguous();
  const int* const values = dense.const_data_ptr<int>();
  for (int64_t i = 0; i < dense.numel(); ++i) {
    TORCH_CHECK(values[i] >= 1 && values[i] <= rows, name,
                ": pivots must be between 1 and LU.size(-2), which is ", rows,
                ", as linalg.lu_factor gives them, but got ", values[i]);
  }
}

// The solution takes the place of the right sides.
template <class T>
void solve_lu_batch(const lapack::Operand& lu, const lapack::Operand& pivots, const Tensor& x,
                    char transpose) {
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const lapack::Int n = lapack::narrow(rows), sides = lapack::narrow(columns);
  T* const matrices = x.mutable_data_ptr<T>();
  const double operations = static_cast<double>(rows * columns) * static_cast<double>(rows) * 2;
  lapack::for_each_matrix(matrix_count(x), operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      lapack::Int info = 0;
      lapack::call<T, "getrs">(transpose, n, sides, lu.matrix<T>(i), lu.ld, pivots.matrix<int>(i),
                               matrices + i * rows * columns, n, &info);
    }
  });
}

}  // namespace

TORCH_IMPL_FUNC(linalg_lu_factor_ex_out)
(const Tensor& A, bool pivot, bool check_errors, const Tensor& LU, const Tensor& pivots, const Tensor& info) {
  TORCH_CHECK_NOT_IMPLEMENTED(pivot, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  if (LU.numel() == 0) {
    const_cast<Tensor&>(info).zero_();
    return;
  }
  if (!LU.is_same(A)) const_cast<Tensor&>(LU).copy_(A);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_lu_factor_ex",
                                         [&] { factor_lu_batch<scalar_t>(LU, pivots, info); });
  if (check_errors) at::_linalg_check_errors(info, "torch.linalg.lu_factor_ex", A.dim() == 2);
}

TORCH_IMPL_FUNC(linalg_lu_solve_out)
(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint, const Tensor& result) {
  if (result.numel() == 0) return;
  check_pivots(pivots, LU.size(-2), "linalg.lu_solve");
  // X A = B is A^H X^H = B^H. The result, row-major then, is column-major as its transpose.
  const Tensor x = left ? result : result.transpose(-2, -1);
  const bool complex = LU.is_complex();
  const_cast<Tensor&>(x).copy_(left ? B : conjugate_transpose(B));
  const DimVector batch = batch_sizes(x);
  const lapack::Operand lu =
      lapack::as_column_operand(LU.expand(with_matrix(batch, LU.size(-2), LU.size(-1))));
  const lapack::Operand exchanges =
      lapack::as_column_operand(pivots.unsqueeze(-1).expand(with_matrix(batch, pivots.size(-1), 1)));
  const char transpose = adjoint == left ? (complex ? 'C' : 'T') : 'N';
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(LU.scalar_type(), "linalg_lu_solve",
                                         [&] { solve_lu_batch<scalar_t>(lu, exchanges, x, transpose); });
  if (!left && complex) const_cast<Tensor&>(x).conj_physical_();
}

TORCH_IMPL_FUNC(lu_unpack_out)
(const Tensor& LU, const Tensor& pivots, bool unpack_data, bool unpack_pivots, const Tensor& P,
 const Tensor& L, const Tensor& U) {
  const int64_t m = LU.size(-2), n = LU.size(-1), k = std::min(m, n);
  if (unpack_data) {
    const Tensor lower = n > m ? LU.narrow(-1, 0, k) : LU, upper = m > n ? LU.narrow(-2, 0, k) : LU;
    at::triu_outf(upper, 0, const_cast<Tensor&>(U));
    at::tril_outf(lower, -1, const_cast<Tensor&>(L));
    L.diagonal(0, -2, -1).fill_(1);
  }
  if (!unpack_pivots || P.numel() == 0) return;
  check_pivots(pivots, m, "torch.lu_unpack");
  const Tensor dense = pivots.contiguous();
  const Tensor order = at::empty(batch_sizes(P, 1), P.options().dtype(kLong));
  int64_t* const rows = order.mutable_data_ptr<int64_t>();
  const int* const exchanges = dense.const_data_ptr<int>();
  for (int64_t i = 0; i < matrix_count(P); ++i) {
    std::iota(rows + i * m, rows + (i + 1) * m, int64_t{0});
    for (int64_t j = 0; j < k; ++j) std::swap(rows[i * m + j], rows[i * m + exchanges[i * k + j] - 1]);
  }
  const_cast<Tensor&>(P).zero_().scatter_(-2, order.unsqueeze(-2), 1);
}

}  // namespace at::native
