// Matrix products: the paths for tiny and thin shapes, and the choice between all paths.
#pragma once

#include <ATen/native/cpu/matmul/gemm_blocks.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

// Below this many multiply-adds no set-up pays off.
inline constexpr int64_t tiny_work = 128;

template <class Acc, class T, class TOut>
void tiny_product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                  const Output<TOut, Acc>& out) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const T* left = a.at(i, 0);
      const T* right = b.at(0, j);
      Acc sum(0);
      for (int64_t p = 0; p < k; ++p) {
        sum += load_one<Acc>(left + p * a.column_stride) * load_one<Acc>(right + p * b.row_stride);
      }
      out.store(i, j, sum);
    }
  }
}

// P x Q dot products at once. x holds P lines of k elements, y its lines y_stride apart, all contiguous.
template <int P, int Q, class T, class TOut, class Acc>
void dot_tile(int64_t k, const T* x, const T* y, int64_t y_stride, const Output<TOut, Acc>& out) {
  Vec<Acc> sum[P][Q] = {};
  int64_t p = 0;
  for (; p + lanes<Acc> <= k; p += lanes<Acc>) {
    Vec<Acc> left[P];
#pragma GCC unroll 8
    for (int i = 0; i < P; ++i) {
      left[i] = load_as<Acc>(x + i * k + p);
    }
#pragma GCC unroll 8
    for (int j = 0; j < Q; ++j) {
      const Vec<Acc> right = load_as<Acc>(y + j * y_stride + p);
#pragma GCC unroll 8
      for (int i = 0; i < P; ++i) {
        sum[i][j] += left[i] * right;
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < P; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < Q; ++j) {
      Acc total = sum_lanes<Acc>(sum[i][j]);
      for (int64_t rest = p; rest < k; ++rest) {
        total += load_one<Acc>(x + i * k + rest) * load_one<Acc>(y + j * y_stride + rest);
      }
      out.store(i, j, total);
    }
  }
}

template <int P, class T, class TOut, class Acc>
void dot_rows(int64_t q, int64_t k, const T* x, const T* y, int64_t y_stride, const Output<TOut, Acc>& out) {
  constexpr int Q = vector_bytes == 64 ? (P == 1 ? 8 : 4) : (P == 4 ? 2 : 4);
  int64_t j = 0;
  for (; j + Q <= q; j += Q) {
    dot_tile<P, Q>(k, x, y + j * y_stride, y_stride, out.block(0, j));
  }
  for (; j < q; ++j) {
    dot_tile<P, 1>(k, x, y + j * y_stride, y_stride, out.block(0, j));
  }
}

// The dot path: few rows in A (at most 4), columns of B contiguous.
template <class T, class TOut, class Acc>
void dot_product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                 const Output<TOut, Acc>& out) {
  const T* x = a.data;
  if (a.column_stride != 1 || (m > 1 && a.row_stride != k)) {
    T* copy = static_cast<T*>(gemm_scratch(GemmScratch::Vector, m * k * sizeof(T)));
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t p = 0; p < k; ++p) {
        copy[i * k + p] = *a.at(i, p);
      }
    }
    x = copy;
  }
  constexpr int64_t chunk = 64;
  maybe_parallel(divide_up(n, chunk), m * n * k, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * chunk, count = std::min(n, end * chunk) - first;
    const T* y = b.at(0, first);
    int64_t i = 0;
    for (; i + 4 <= m; i += 4) {
      dot_rows<4>(count, k, x + i * k, y, b.column_stride, out.block(i, first));
    }
    for (; i + 2 <= m; i += 2) {
      dot_rows<2>(count, k, x + i * k, y, b.column_stride, out.block(i, first));
    }
    if (i < m) {
      dot_rows<1>(count, k, x + i * k, y, b.column_stride, out.block(i, first));
    }
  });
}

// One dot product, in several independent chains of additions.
template <class Acc, class T, class TOut>
void vector_dot(int64_t k, const T* x, int64_t x_stride, const T* y, int64_t y_stride,
                const Output<TOut, Acc>& out) {
  constexpr int chains = 4;
  Vec<Acc> sum[chains] = {};
  Acc total(0);
  int64_t p = 0;
  if (x_stride == 1 && y_stride == 1) {
    for (; p + chains * lanes<Acc> <= k; p += chains * lanes<Acc>) {
#pragma GCC unroll 4
      for (int c = 0; c < chains; ++c) {
        sum[c] += load_as<Acc>(x + p + c * lanes<Acc>) * load_as<Acc>(y + p + c * lanes<Acc>);
      }
    }
    total = sum_lanes<Acc>((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
  for (; p < k; ++p) {
    total += load_one<Acc>(x + p * x_stride) * load_one<Acc>(y + p * y_stride);
  }
  out.store(0, 0, total);
}

// Any product of real matrices: chooses the path.
template <class T, class TOut, class Acc>
void product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
             const Output<TOut, Acc>& out) {
  if (m * n * k <= tiny_work) {
    return tiny_product<Acc>(m, n, k, a, b, out);
  }
  if (out.column_stride != 1 && out.row_stride == 1) {
    return product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  if (m == 1 && n == 1) {
    return vector_dot<Acc>(k, a.data, a.column_stride, b.data, b.row_stride, out);
  }
  if (b.row_stride == 1 && m <= 12 && k >= 6 * m) {
    return dot_product(m, n, k, a, b, out);
  }
  if (a.column_stride == 1 && n <= std::max<int64_t>(4, lanes<Acc> / 2) && k >= 16 * n) {
    return dot_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  constexpr bool in_place = std::is_same_v<T, Acc> && std::is_floating_point_v<Acc>;
  if (n < lanes<Acc> && n < m && (!in_place || a.row_stride == 1)) {  // columns would mostly be padding
    return blocked_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  blocked_product(m, n, k, a, b, out);
}

// Runs one(index) for every matrix of a batch: in parallel if there are enough of them, sequentially (each
// with all threads) otherwise.
template <class F>
void for_each_matrix(const GemmProblem& problem, const F& one) {
  const int64_t work = problem.m * problem.n * problem.k;
  if (problem.batch > 1 && problem.batch >= at::get_num_threads() && work * problem.batch >= parallel_work) {
    at::parallel_for(0, problem.batch, std::max<int64_t>(1, parallel_work / 4 / std::max<int64_t>(work, 1)),
                     [&](int64_t begin, int64_t end) {
                       for (int64_t i = begin; i < end; ++i) {
                         one(i);
                       }
                     });
  } else {
    for (int64_t i = 0; i < problem.batch; ++i) {
      one(i);
    }
  }
}

template <class T>
Matrix<T> matrix_of(const GemmMatrix& operand, int64_t index) {
  return {static_cast<const T*>(operand.data) + index * operand.batch_stride, operand.row_stride,
          operand.column_stride};
}

template <class T, class Acc>
void real_gemm(const GemmProblem& problem, Acc alpha, Acc beta) {
  for_each_matrix(problem, [&](int64_t i) {
    const Output<T, Acc> out{static_cast<T*>(problem.c) + i * problem.c_batch_stride, problem.c_row_stride,
                             problem.c_column_stride, alpha, beta};
    product(problem.m, problem.n, problem.k, matrix_of<T>(problem.a, i), matrix_of<T>(problem.b, i), out);
  });
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
