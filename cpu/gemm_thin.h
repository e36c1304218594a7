// Matrix products: the paths for tiny and thin shapes, and the choice between all paths.
#pragma once

#include <ATen/native/cpu/gemm_kernel.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

// Below this many multiply-adds nothing is worth setting up.
inline constexpr int64_t tiny_work = 512;

template <class Acc, class T, class TOut>
void tiny_product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                  const Output<TOut, Acc>& out) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const T* left = a.at(i, 0);
      const T* right = b.at(0, j);
      Acc sum(0);
      for (int64_t p = 0; p < k; ++p) {
        sum += static_cast<Acc>(left[p * a.column_stride]) * static_cast<Acc>(right[p * b.row_stride]);
      }
      out.store(i, j, sum);
    }
  }
}

// P x Q dot products at once. x holds P lines of k numbers, y its lines y_stride apart, all contiguous.
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
        total += static_cast<Acc>(x[i * k + rest]) * static_cast<Acc>(y[j * y_stride + rest]);
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

// One dot product, by several chains of additions.
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
    total += static_cast<Acc>(x[p * x_stride]) * static_cast<Acc>(y[p * y_stride]);
  }
  out.store(0, 0, total);
}

template <int Height>
inline constexpr int direct_vectors = vector_bytes == 64 ? (Height <= 2   ? 8
                                                            : Height == 4 ? 4
                                                                          : 2)
                                                         : (Height == 1   ? 8
                                                            : Height == 2 ? 4
                                                                          : 2);

// Columns [begin, end) of the direct path for the rows of one tile; the last, partial group of columns is
// copied.
template <int Height, class TOut, class Acc>
void direct_columns(int64_t rows, int64_t begin, int64_t end, int64_t k, const Acc* packed_a,
                    const Matrix<Acc>& b, const Output<TOut, Acc>& out) {
  constexpr int vectors = direct_vectors<Height>;
  constexpr int64_t width = vectors * lanes<Acc>;
  int64_t j = begin;
  for (; j + width <= end; j += width) {
    tile<Height, vectors>(k, packed_a, b.at(0, j), b.row_stride, out.block(0, j), rows, width);
  }
  if (j < end) {
    Acc* panel = static_cast<Acc*>(gemm_scratch(GemmScratch::PackedB, width * k * sizeof(Acc)));
    const int64_t padded = round_up(end - j, lanes<Acc>);
    pack_panel(b.transposed().from_row(j), end - j, k, padded, panel);
    for (int64_t part = 0; part < padded; part += lanes<Acc>) {
      tile<Height, 1>(k, packed_a, panel + part, padded, out.block(0, j + part), rows,
                      std::min<int64_t>(lanes<Acc>, end - j - part));
    }
  }
}

// The direct path: few rows in A, rows of B contiguous and read where they are.
template <class TOut, class Acc>
void direct_product(int64_t m, int64_t n, int64_t k, const Matrix<Acc>& a, const Matrix<Acc>& b,
                    const Output<TOut, Acc>& out) {
  Acc* packed_a =
      static_cast<Acc*>(gemm_scratch(GemmScratch::PackedA, round_up(m, tile_rows) * k * sizeof(Acc)));
  pack_rows(a, m, k, packed_a);
  constexpr int64_t chunk = 8 * lanes<Acc>;
  maybe_parallel(divide_up(n, chunk), m * n * k, [&](int64_t first, int64_t last) {
    const int64_t begin = first * chunk, end = std::min(n, last * chunk);
    for (int64_t i = 0; i < m; i += tile_rows) {
      const int64_t rows = std::min<int64_t>(tile_rows, m - i);
      const Acc* panel = packed_a + i * k;
      switch (tile_height(rows)) {
        case 1:
          direct_columns<1>(rows, begin, end, k, panel, b, out.block(i, 0));
          break;
        case 2:
          direct_columns<2>(rows, begin, end, k, panel, b, out.block(i, 0));
          break;
        case 4:
          direct_columns<4>(rows, begin, end, k, panel, b, out.block(i, 0));
          break;
        default:
          direct_columns<tile_rows>(rows, begin, end, k, panel, b, out.block(i, 0));
      }
    }
  });
}

// Any product of real numbers: chooses the path.
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
  if (m <= 4 && b.row_stride == 1) {
    return dot_product(m, n, k, a, b, out);
  }
  if (n <= 4 && a.column_stride == 1) {
    return dot_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  if constexpr (std::is_same_v<T, Acc>) {
    if (m <= 2 * tile_rows && b.column_stride == 1) {
      return direct_product(m, n, k, a, b, out);
    }
    if (n <= 8 && n < m && a.row_stride == 1) {
      return direct_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
    }
  }
  if (2 * n <= tile_columns<Acc> && n < m) {  // columns would mostly be padding
    return packed_product(n, m, k, b.transposed(), a.transposed(), out.transposed());
  }
  packed_product(m, n, k, a, b, out);
}

// Runs one(index) for every matrix of a batch: side by side if there are enough of them, one after another
// (each with all threads) otherwise.
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
