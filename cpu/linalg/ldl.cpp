// LDL factors of symmetric and Hermitian matrices by LAPACK.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/operands.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/linalg_ldl_factor_ex_native.h>
#include <ATen/ops/linalg_ldl_solve_native.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

template <class T>
void factor_ldl(lapack::Int n, T* a, int* pivots, T* work, lapack::Int length, bool hermitian, int* info) {
  if (hermitian) {
    lapack::call<T, "sytrf", "hetrf">('L', n, a, n, pivots, work, length, info);
  } else {
    lapack::call<T, "sytrf">('L', n, a, n, pivots, work, length, info);
  }
}

template <class T>
void factor_ldl_batch(const Tensor& LD, const Tensor& pivots, const Tensor& info, bool hermitian) {
  const int64_t order = LD.size(-1);
  const lapack::Int n = lapack::narrow(order);
  T* const matrices = LD.mutable_data_ptr<T>();
  int* const exchanges = pivots.mutable_data_ptr<int>();
  int* const infos = info.mutable_data_ptr<int>();
  T answer = 0;
  factor_ldl<T>(n, matrices, exchanges, &answer, -1, hermitian, infos);
  const lapack::Int length = std::max(lapack::workspace_size(answer), n);
  const double size = static_cast<double>(order);
  lapack::for_each_matrix(info.numel(), size * size * size / 3, [&](int64_t first, int64_t last) {
    std::vector<T> work(static_cast<size_t>(length));
    for (int64_t i = first; i < last; ++i) {
      factor_ldl<T>(n, matrices + i * order * order, exchanges + i * order, work.data(), length, hermitian,
                    infos + i);
    }
  });
}

// Whether each is a row, or two of one negative kind are a block of 2 x 2: LAPACK reads and writes these
// rows.
bool are_ldl_pivots(const int* pivots, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (pivots[i] > 0 && pivots[i] <= n) continue;
    if (pivots[i] >= 0 || pivots[i] < -n) return false;
    ++i;
    if (i == n || pivots[i] >= 0 || pivots[i] < -n) return false;
  }
  return true;
}

void check_ldl_pivots(const Tensor& pivots) {
  const Tensor dense = pivots.contiguous();
  const int64_t n = dense.size(-1);
  for (int64_t i = 0; i < dense.numel(); i += n) {
    TORCH_CHECK(are_ldl_pivots(dense.const_data_ptr<int>() + i, n),
                "torch.linalg.ldl_solve: expected pivots as linalg.ldl_factor gives them: numbers of rows, "
                "from 1 to ",
                n, ", and pairs of negative ones for blocks of 2 x 2");
  }
}

template <class T>
void solve_ldl_batch(const lapack::Operand& factor, const lapack::Operand& pivots, const Tensor& x,
                     bool hermitian) {
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const lapack::Int n = lapack::narrow(rows), sides = lapack::narrow(columns);
  T* const matrices = x.mutable_data_ptr<T>();
  const double operations = static_cast<double>(rows * columns) * static_cast<double>(rows) * 2;
  lapack::for_each_matrix(matrix_count(x), operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      lapack::Int info = 0;
      T* const b = matrices + i * rows * columns;
      if (hermitian) {
        lapack::call<T, "sytrs", "hetrs">('L', n, sides, factor.matrix<T>(i), factor.ld,
                                          pivots.matrix<int>(i), b, n, &info);
      } else {
        lapack::call<T, "sytrs">('L', n, sides, factor.matrix<T>(i), factor.ld, pivots.matrix<int>(i), b, n,
                                 &info);
      }
    }
  });
}

}  // namespace

TORCH_IMPL_FUNC(linalg_ldl_factor_ex_out)
(const Tensor& self, bool hermitian, bool check_errors, const Tensor& LD, const Tensor& pivots,
 const Tensor& info) {
  if (LD.numel() == 0) {
    const_cast<Tensor&>(info).zero_();
    return;
  }
  at::tril_outf(self, 0, const_cast<Tensor&>(LD));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "linalg_ldl_factor_ex",
                                         [&] { factor_ldl_batch<scalar_t>(LD, pivots, info, hermitian); });
  if (check_errors) at::_linalg_check_errors(info, "torch.linalg.ldl_factor_ex", self.dim() == 2);
}

TORCH_IMPL_FUNC(linalg_ldl_solve_out)
(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian, const Tensor& result) {
  if (result.numel() == 0) return;
  check_ldl_pivots(pivots);
  const_cast<Tensor&>(result).copy_(B);
  const DimVector batch = batch_sizes(result);
  const int64_t n = LD.size(-1);
  const lapack::Operand factor = lapack::as_column_operand(LD.expand(with_matrix(batch, n, n)));
  const lapack::Operand exchanges =
      lapack::as_column_operand(pivots.unsqueeze(-1).expand(with_matrix(batch, n, 1)));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(LD.scalar_type(), "linalg_ldl_solve", [&] {
    solve_ldl_batch<scalar_t>(factor, exchanges, result, hermitian);
  });
}

}  // namespace at::native
