// Complex matrix products: four real products of the real and imaginary parts in place (stride 2), summed in
// scratch memory.
#include <ATen/native/cpu/matmul/gemm_dtypes.h>
#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/complex.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace gemm_detail;

template <class R>
struct ComplexMatrix {
  Matrix<R> real, imaginary;
  R sign;  // of the imaginary part

  ComplexMatrix(const GemmMatrix& operand, int64_t index) : sign(operand.conjugate ? R(-1) : R(1)) {
    const R* data = static_cast<const R*>(operand.data) + 2 * index * operand.batch_stride;
    real = {data, 2 * operand.row_stride, 2 * operand.column_stride};
    imaginary = {data + 1, 2 * operand.row_stride, 2 * operand.column_stride};
  }
};

template <class R>
void complex_product(const GemmProblem& problem, int64_t index, c10::complex<R> alpha, c10::complex<R> beta) {
  const int64_t m = problem.m, n = problem.n, k = problem.k;
  const ComplexMatrix<R> a(problem.a, index), b(problem.b, index);
  R* real = static_cast<R*>(gemm_scratch(GemmScratch::Accumulator, 2 * m * n * sizeof(R)));
  R* imaginary = real + m * n;
  product(m, n, k, a.real, b.real, Output<R, R>{real, n, 1, R(1), R(0)});
  product(m, n, k, a.imaginary, b.imaginary, Output<R, R>{real, n, 1, -a.sign * b.sign, R(1)});
  product(m, n, k, a.real, b.imaginary, Output<R, R>{imaginary, n, 1, b.sign, R(0)});
  product(m, n, k, a.imaginary, b.real, Output<R, R>{imaginary, n, 1, a.sign, R(1)});
  const Output<c10::complex<R>, c10::complex<R>> out{
      static_cast<c10::complex<R>*>(problem.c) + index * problem.c_batch_stride, problem.c_row_stride,
      problem.c_column_stride, alpha, beta};
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      out.store(i, j, c10::complex<R>(real[i * n + j], imaginary[i * n + j]));
    }
  }
}

template <class R>
void complex_gemm(const GemmProblem& problem) {
  const auto alpha = problem.alpha.to<c10::complex<R>>(), beta = problem.beta.to<c10::complex<R>>();
  for_each_matrix(problem, [&](int64_t i) { complex_product<R>(problem, i, alpha, beta); });
}

}  // namespace

void gemm_complex(c10::ScalarType type, const GemmProblem& problem) {
  if (type == c10::ScalarType::ComplexFloat) {
    complex_gemm<float>(problem);
  } else {
    complex_gemm<double>(problem);
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
