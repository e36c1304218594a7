// Cholesky factors by LAPACK.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/operands.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/_cholesky_solve_helper_native.h>
#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/cholesky_inverse_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_cholesky_ex_native.h>
#include <ATen/ops/zero.h>

#include <algorithm>

namespace at::native {

namespace {

// The other triangle of each matrix, column-major of order n, which the routine leaves as it was.
template <class T>
void clear_other_triangle(T* a, int64_t n, bool upper) {
  for (int64_t column = 0; column < n; ++column) {
    T* const line = a + column * n;
    if (upper) {
      std::fill(line + column + 1, line + n, T(0));
    } else {
      std::fill(line, line + column, T(0));
    }
  }
}

// OpenBLAS takes a minor that is NaN for a positive one. Returns its order, or 0.
template <class T>
int first_unordered_minor(const T* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (a[i * n + i] != a[i * n + i]) return static_cast<int>(i + 1);
  }
  return 0;
}

template <class T>
T conjugate_of(T value) {
  if constexpr (lapack::detail::is_complex<T>) {
    return T(value.real(), -value.imag());
  } else {
    return value;
  }
}

template <class T>
void cholesky_of_batch(const Tensor& result, const Tensor& info, bool upper) {
  const int64_t n = result.size(-1);
  const lapack::Int order = lapack::narrow(n);
  T* const matrices = result.mutable_data_ptr<T>();
  int* const infos = info.mutable_data_ptr<int>();
  const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  lapack::for_each_matrix(info.numel(), cube / 3, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      T* const a = matrices + i * n * n;
      lapack::call<T, "potrf">(upper ? 'U' : 'L', order, a, order, infos + i);
      if (infos[i] == 0) infos[i] = first_unordered_minor(a, n);
      clear_other_triangle(a, n, upper);
    }
  });
}

}  // namespace

TORCH_IMPL_FUNC(linalg_cholesky_ex_out)
(const Tensor& A, bool upper, bool check_errors, const Tensor& L, const Tensor& info) {
  if (L.numel() == 0) {
    const_cast<Tensor&>(info).zero_();
    return;
  }
  const_cast<Tensor&>(L).copy_(A);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_cholesky_ex",
                                         [&] { cholesky_of_batch<scalar_t>(L, info, upper); });
  if (check_errors) at::_linalg_check_errors(info, "linalg.cholesky_ex", A.dim() == 2);
}

namespace {

template <class T>
void solve_cholesky_batch(const lapack::Operand& factor, const Tensor& x, bool upper) {
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const lapack::Int n = lapack::narrow(rows), sides = lapack::narrow(columns);
  T* const matrices = x.mutable_data_ptr<T>();
  const double operations = static_cast<double>(rows * columns) * static_cast<double>(rows) * 2;
  lapack::for_each_matrix(matrix_count(x), operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      lapack::Int info = 0;
      lapack::call<T, "potrs">(upper ? 'U' : 'L', n, sides, factor.matrix<T>(i), factor.ld,
                               matrices + i * rows * columns, n, &info);
    }
  });
}

// The routine makes one triangle of the inverse, which the other mirrors.
template <class T>
void invert_cholesky_batch(const Tensor& result, const Tensor& info, bool upper) {
  const int64_t n = result.size(-1);
  const lapack::Int order = lapack::narrow(n);
  T* const matrices = result.mutable_data_ptr<T>();
  int* const infos = info.mutable_data_ptr<int>();
  const double size = static_cast<double>(n);
  lapack::for_each_matrix(info.numel(), size * size * size, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      T* const a = matrices + i * n * n;
      lapack::call<T, "potri">(upper ? 'U' : 'L', order, a, order, infos + i);
      for (int64_t column = 0; column < n; ++column) {
        for (int64_t row = column + 1; row < n; ++row) {
          T &below = a[column * n + row], &above = a[row * n + column];
          if (upper) {
            below = conjugate_of(above);
          } else {
            above = conjugate_of(below);
          }
        }
      }
    }
  });
}

void check_cholesky_inverse(const Tensor& self) {
  check_square(self, "cholesky_inverse");
  check_float_or_complex(self, "cholesky_inverse");
}

void invert_cholesky(const Tensor& self, bool upper, const Tensor& result) {
  if (result.numel() == 0 || result.is_meta()) return;
  const_cast<Tensor&>(result).copy_(self);
  const Tensor info = at::empty(batch_sizes(self), self.options().dtype(kInt));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "cholesky_inverse",
                                         [&] { invert_cholesky_batch<scalar_t>(result, info, upper); });
  at::_linalg_check_errors(info, "cholesky_inverse", self.dim() == 2);
}

}  // namespace

Tensor _cholesky_solve_helper_cpu(const Tensor& self, const Tensor& A, bool upper) {
  check_one_dtype(A, self, "cholesky_solve");
  check_float_or_complex(A, "cholesky_solve");
  check_solve_sizes(A, self, /*left=*/true, "cholesky_solve");
  const auto [a, b] = broadcast_batches(A, self);
  Tensor result = empty_column_major(b.sizes(), b.options());
  if (result.numel() == 0 || result.is_meta()) return result;
  result.copy_(b);
  const lapack::Operand factor = lapack::as_column_operand(a);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "cholesky_solve",
                                         [&] { solve_cholesky_batch<scalar_t>(factor, result, upper); });
  return result;
}

Tensor cholesky_inverse(const Tensor& self, bool upper) {
  check_cholesky_inverse(self);
  Tensor result = empty_column_major(self.sizes(), self.options());
  invert_cholesky(self, upper, result);
  return result;
}

Tensor& cholesky_inverse_out(const Tensor& self, bool upper, Tensor& result) {
  check_cholesky_inverse(self);
  const Tensor made = empty_column_major(self.sizes(), self.options());
  invert_cholesky(self, upper, made);
  return write_columns("cholesky_inverse", result, made);
}

}  // namespace at::native
