// Distances between rows. One row is compared with many at a time, from a transposed copy whose coordinates
// are contiguous: vectors go along the rows, however short these are.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/transpose.h>
#include <ATen/native/distance/functors.h>
#include <ATen/native/distance/stubs.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Rows compared at a time: their sums stay in the first-level cache.
constexpr int64_t piece = 512;

// Coordinate k of row i at k * count + i, padded by a vector.
template <class T>
std::vector<T> transposed(const T* rows, int64_t count, int64_t columns) {
  constexpr int64_t width = lanes<T>;
  std::vector<T> result(static_cast<size_t>(count * columns + width));
  const auto copy = [&](int64_t row, int64_t column) {
    result[column * count + row] = rows[row * columns + column];
  };
  for (int64_t i = 0; i < count; i += width) {
    int64_t k = 0;
    for (; i + width <= count && k + width <= columns; k += width) {
      Vec<T> line[width];
      for (int64_t r = 0; r < width; ++r) line[r] = load(rows + (i + r) * columns + k);
      transpose_lines<T>(line);
      for (int64_t r = 0; r < width; ++r) store<T>(result.data() + (k + r) * count + i, line[r]);
    }
    for (; k < columns; ++k) {
      for (int64_t r = i; r < std::min(i + width, count); ++r) copy(r, k);
    }
  }
  return result;
}

// The distances that can be reduced in vectors.
template <class T>
C10_ALWAYS_INLINE auto size_bits(Vec<T> v) {
  using Bits = decltype(v < v);
  return reinterpret_cast<Bits>(v) & ~reinterpret_cast<Bits>(-Vec<T>{});
}
template <class T>
C10_ALWAYS_INLINE Vec<T> fold_lanes(const ufunc::OneDistance<T>&, Vec<T> sum, Vec<T> difference) {
  return sum + reinterpret_cast<Vec<T>>(size_bits<T>(difference));
}
template <class T>
C10_ALWAYS_INLINE Vec<T> fold_lanes(const ufunc::TwoDistance<T>&, Vec<T> sum, Vec<T> difference) {
  return sum + difference * difference;
}
// Non-negative floats compare like their bits, with NaN last.
template <class T>
C10_ALWAYS_INLINE Vec<T> fold_lanes(const ufunc::MaxDistance<T>&, Vec<T> largest, Vec<T> difference) {
  const auto size = size_bits<T>(difference), before = reinterpret_cast<decltype(size)>(largest);
  return reinterpret_cast<Vec<T>>(size > before ? size : before);
}

// Reduces `vectors` vectors of distances, in registers.
template <int vectors, class T, class Distance>
C10_ALWAYS_INLINE void fold_vectors(const Distance& distance, Vec<T> (&sum)[vectors], const T* row,
                                    const T* others, int64_t stride, int64_t columns) {
  for (auto& s : sum) s = Vec<T>{} + distance.start();
  for (int64_t k = 0; k < columns; ++k, others += stride) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      sum[v] = fold_lanes(distance, sum[v], row[k] - load(others + v * lanes<T>));
    }
  }
}

// Reduces n distances. Up to a vector after the last coordinates may be read.
template <class T, class Distance>
void fold_distances(const Distance& distance, T* out, const T* row, const T* others, int64_t n,
                    int64_t stride, int64_t columns) {
  int64_t j = 0;
  for (; j + 4 * lanes<T> <= n; j += 4 * lanes<T>) {
    Vec<T> sum[4];
    fold_vectors(distance, sum, row, others + j, stride, columns);
    std::memcpy(out + j, sum, sizeof(sum));
  }
  for (; j < n; j += lanes<T>) {
    Vec<T> sum[1];
    fold_vectors(distance, sum, row, others + j, stride, columns);
    std::memcpy(out + j, sum, static_cast<size_t>(std::min<int64_t>(lanes<T>, n - j)) * sizeof(T));
  }
}

// Distances of `row` from n rows; coordinate k of these is at others + k * stride.
template <class T, class Distance>
void row_distances(const Distance& distance, T* out, const T* row, const T* others, int64_t n, int64_t stride,
                   int64_t columns) {
  for (int64_t start = 0; start < n; start += piece) {
    const int64_t count = std::min(piece, n - start);
    T* to = out + start;
    if constexpr (requires(Vec<T> v) { fold_lanes(distance, v, v); }) {
      fold_distances(distance, to, row, others + start, count, stride, columns);
    } else {
      std::fill_n(to, count, distance.start());
      for (int64_t k = 0; k < columns; ++k) {
        const T own = row[k];
        const T* coordinate = others + k * stride + start;
#pragma GCC ivdep
        for (int64_t j = 0; j < count; ++j) to[j] = distance.fold(to[j], own - coordinate[j]);
      }
    }
#pragma GCC ivdep
    for (int64_t j = 0; j < count; ++j) to[j] = distance.finish(to[j]);
  }
}

// The gradient of `row` from those of its distances.
template <class T, class Distance>
void row_gradient(const Distance& distance, T* out, const T* row, const T* others, const T* grad,
                  const T* dist, int64_t n, int64_t columns) {
  T weights[piece], terms[piece];
  std::fill_n(out, columns, T(0));
  for (int64_t start = 0; start < n; start += piece) {
    const int64_t count = std::min(piece, n - start);
    const T* distances = dist + start;
#pragma GCC ivdep
    for (int64_t j = 0; j < count; ++j) weights[j] = distance.weight(grad[start + j], distances[j]);
    for (int64_t k = 0; k < columns; ++k) {
      const T own = row[k];
      const T* coordinate = others + k * n + start;
#pragma GCC ivdep
      for (int64_t j = 0; j < count; ++j) {
        terms[j] = weights[j] * distance.slope(own - coordinate[j], distances[j]);
      }
      out[k] += row_sum(terms, count);
    }
  }
}

int64_t grain_of(int64_t work) {
  return std::max<int64_t>(internal::GRAIN_SIZE / std::max<int64_t>(work, 1), 1);
}

// ---- two sets of rows

struct Sizes {
  int64_t batch, rows1, rows2, columns;

  Sizes(const TensorBase& x1, const TensorBase& x2)
      : batch(x1.numel() / (x1.size(-2) * x1.size(-1))),
        rows1(x1.size(-2)),
        rows2(x2.size(-2)),
        columns(x1.size(-1)) {}
};

// Calls visit(row number, row, transposed rows of x2) for every row of x1.
template <class T, class Visit>
void for_each_row(const Sizes& s, const T* x1, const T* x2, const Visit& visit) {
  for (int64_t b = 0; b < s.batch; ++b) {
    const auto others = transposed(x2 + b * s.rows2 * s.columns, s.rows2, s.columns);
    at::parallel_for(0, s.rows1, grain_of(s.rows2 * s.columns), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t number = b * s.rows1 + i;
        visit(number, x1 + number * s.columns, others.data());
      }
    });
  }
}

void cdist_kernel(const TensorBase& result, const TensorBase& x1, const TensorBase& x2, double p) {
  AT_DISPATCH_FLOATING_TYPES(x1.scalar_type(), "cdist", [&] {
    using T = scalar_t;
    const Sizes s(x1, x2);
    T* out = result.mutable_data_ptr<T>();
    ufunc::with_distance<T>(p, [&](const auto& distance) {
      for_each_row(s, x1.const_data_ptr<T>(), x2.const_data_ptr<T>(),
                   [&](int64_t number, const T* row, const T* others) {
                     row_distances(distance, out + number * s.rows2, row, others, s.rows2, s.rows2,
                                   s.columns);
                   });
    });
  });
}

void cdist_backward_kernel(const TensorBase& result, const TensorBase& grad, const TensorBase& x1,
                           const TensorBase& x2, double p, const TensorBase& dist) {
  AT_DISPATCH_FLOATING_TYPES(x1.scalar_type(), "cdist_backward", [&] {
    using T = scalar_t;
    const Sizes s(x1, x2);
    T* out = result.mutable_data_ptr<T>();
    const T *grads = grad.const_data_ptr<T>(), *dists = dist.const_data_ptr<T>();
    ufunc::with_distance<T>(p, [&](const auto& distance) {
      for_each_row(s, x1.const_data_ptr<T>(), x2.const_data_ptr<T>(),
                   [&](int64_t number, const T* row, const T* others) {
                     row_gradient(distance, out + number * s.columns, row, others, grads + number * s.rows2,
                                  dists + number * s.rows2, s.rows2, s.columns);
                   });
    });
  });
}

// ---- pairs of one set of rows

void pdist_kernel(const TensorBase& result, const TensorBase& self, double p) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "pdist", [&] {
    using T = scalar_t;
    const int64_t n = self.size(0), columns = self.size(1);
    const T* x = self.const_data_ptr<T>();
    T* out = result.mutable_data_ptr<T>();
    const auto others = transposed(x, n, columns);
    ufunc::with_distance<T>(p, [&](const auto& distance) {
      at::parallel_for(0, n - 1, grain_of(n * columns / 2), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          row_distances(distance, out + ufunc::first_pair(i, n), x + i * columns, others.data() + i + 1,
                        n - i - 1, n, columns);
        }
      });
    });
  });
}

// Row i of the symmetric matrix whose upper triangle is given pair by pair.
template <class T>
void symmetric_row(T* row, const T* pairs, int64_t i, int64_t n) {
  for (int64_t j = 0; j < i; ++j) row[j] = pairs[ufunc::first_pair(j, n) + i - j - 1];
  row[i] = T(0);
  std::copy_n(pairs + ufunc::first_pair(i, n), n - i - 1, row + i + 1);
}

void pdist_backward_kernel(const TensorBase& result, const TensorBase& grad, const TensorBase& self, double p,
                           const TensorBase& dist) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "pdist_backward", [&] {
    using T = scalar_t;
    const int64_t n = self.size(0), columns = self.size(1);
    const T *x = self.const_data_ptr<T>(), *grads = grad.const_data_ptr<T>(),
            *dists = dist.const_data_ptr<T>();
    T* out = result.mutable_data_ptr<T>();
    const auto others = transposed(x, n, columns);
    ufunc::with_distance<T>(p, [&](const auto& distance) {
      at::parallel_for(0, n, grain_of(n * columns), [&](int64_t begin, int64_t end) {
        std::vector<T> grad_row(static_cast<size_t>(n)), dist_row(static_cast<size_t>(n));
        for (int64_t i = begin; i < end; ++i) {
          symmetric_row(grad_row.data(), grads, i, n);
          symmetric_row(dist_row.data(), dists, i, n);
          row_gradient(distance, out + i * columns, x + i * columns, others.data(), grad_row.data(),
                       dist_row.data(), n, columns);
        }
      });
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cdist_stub, &cdist_kernel)
REGISTER_DISPATCH(cdist_backward_stub, &cdist_backward_kernel)
REGISTER_DISPATCH(pdist_stub, &pdist_kernel)
REGISTER_DISPATCH(pdist_backward_stub, &pdist_backward_kernel)

}  // namespace at::native
