// Triangular systems by BLAS.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/operands.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_solve_triangular_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/triangular_solve_native.h>

namespace at::native {

namespace {

struct TriangularSides {
  bool upper, left, unitriangular;
};

// X, which holds B, becomes the solution.
template <class T>
void solve_triangular_batch(const lapack::Operand& a, const Tensor& x, TriangularSides sides) {
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const lapack::Int m = lapack::narrow(rows), n = lapack::narrow(columns);
  const char side = sides.left ? 'L' : 'R', triangle = sides.upper != a.transposed ? 'U' : 'L',
             transpose = a.transposed ? 'T' : 'N', diagonal = sides.unitriangular ? 'U' : 'N';
  T* const matrices = x.mutable_data_ptr<T>();
  const double operations =
      static_cast<double>(rows * columns) * static_cast<double>(sides.left ? rows : columns);
  lapack::for_each_matrix(matrix_count(x), operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      lapack::call<T, "trsm">(side, triangle, transpose, diagonal, m, n, T(1), a.matrix<T>(i), a.ld,
                              matrices + i * rows * columns, m);
    }
  });
}

// `out` is column-major and has the size of the result.
void solve_triangular(const Tensor& A, const Tensor& B, TriangularSides sides, const Tensor& out) {
  if (out.numel() == 0 || out.is_meta()) return;
  const_cast<Tensor&>(out).copy_(B);
  const lapack::Operand a = lapack::as_operand(A);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_solve_triangular",
                                         [&] { solve_triangular_batch<scalar_t>(a, out, sides); });
}

void check_solve_triangular(const Tensor& A, const Tensor& B, bool left) {
  check_float_or_complex(A, "linalg.solve_triangular");
  check_one_dtype(A, B, "linalg.solve_triangular");
  check_solve_sizes(A, B, left, "linalg.solve_triangular");
}

}  // namespace

Tensor linalg_solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular) {
  check_solve_triangular(A, B, left);
  const auto [a, b] = broadcast_batches(A, B);
  Tensor result = empty_column_major(b.sizes(), B.options());
  solve_triangular(a, b, {upper, left, unitriangular}, result);
  return result;
}

Tensor& linalg_solve_triangular_out(const Tensor& A, const Tensor& B, bool upper, bool left,
                                    bool unitriangular, Tensor& out) {
  check_solve_triangular(A, B, left);
  const auto [a, b] = broadcast_batches(A, B);
  // A temporary, as out may be one of the operands.
  const Tensor result = empty_column_major(b.sizes(), B.options());
  solve_triangular(a, b, {upper, left, unitriangular}, result);
  return write_same_dtype("linalg.solve_triangular", out, result);
}

TORCH_IMPL_FUNC(triangular_solve_out)
(const Tensor& self, const Tensor& A, bool upper, bool transpose, bool unitriangular, const Tensor& X,
 const Tensor& M) {
  const auto [a, b] = broadcast_batches(A, self);
  const_cast<Tensor&>(M).copy_(a);
  solve_triangular(transpose ? a.transpose(-2, -1) : a, b, {upper != transpose, /*left=*/true, unitriangular},
                   X);
}

}  // namespace at::native
