// Variance and standard deviation. Blocks that fit the first-level cache are read twice, once for their mean
// and once for the squared differences from it; blocks are merged in double (Chan et al.), so one pass over
// memory is as accurate as two.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/reduction/row_fold.h>
#include <ATen/native/reduction/stubs.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using Moments = reducers::Moments<double, double>;

constexpr int64_t block_size = 1024;

// f(x) summed over a block, in several vectors of accumulators.
template <class A, class F>
A sum_of(const A* p, int64_t n, const F& f) {
  using V = typename Register<A>::type;
  constexpr int64_t lanes = sizeof(V) / sizeof(A);
  V acc0{}, acc1{}, x0, x1;
  int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    std::memcpy(&x0, p + i, sizeof(V));
    std::memcpy(&x1, p + i + lanes, sizeof(V));
    acc0 += f(x0);
    acc1 += f(x1);
  }
  acc0 += acc1;
  A values[lanes];
  std::memcpy(values, &acc0, sizeof(V));
  A total = 0;
  for (A value : values) {
    total += value;
  }
  for (; i < n; i++) {
    total += f(p[i]);
  }
  return total;
}

template <class A>
Moments moments_of_block(const A* p, int64_t n) {
  const A mean = sum_of(p, n, [](auto x) { return x; }) / static_cast<A>(n);
  // `mean` is rounded; the sum of the differences corrects for it.
  const double rest = sum_of(p, n, [mean](auto x) { return x - mean; });
  const double squares = sum_of(p, n, [mean](auto x) { return (x - mean) * (x - mean); });
  const auto count = static_cast<double>(n);
  return {count, mean + rest / count, squares - rest * rest / count};
}

template <class A>
void add_row(const Fold& fold, void* state, const char* in, int64_t n, int64_t stride, int64_t) {
  auto& total = *static_cast<Moments*>(state);
  A buffer[block_size];
  for (int64_t begin = 0; begin < n; begin += block_size) {
    const int64_t count = std::min(block_size, n - begin);
    fold.load(buffer, in + begin * stride, count, stride);
    total.merge(moments_of_block(static_cast<const A*>(buffer), count));
  }
}

constexpr int64_t rows_at_once = 16;

// States of columns: the number of rows, then all means, then all sums of squares.
template <class A>
void add_columns(const Fold& fold, void* states, const char* in, int64_t columns, int64_t rows,
                 int64_t row_stride, int64_t) {
  double& n = *static_cast<double*>(states);
  double* mean = static_cast<double*>(states) + 1;
  double* m2 = mean + columns;
  SmallVector<A, 1024> block(static_cast<size_t>(rows_at_once * columns));
  SmallVector<A, 1024> moments(static_cast<size_t>(2 * columns));
  A* block_mean = moments.data();
  A* block_m2 = block_mean + columns;
  for (int64_t begin = 0; begin < rows; begin += rows_at_once) {
    const int64_t count = std::min(rows_at_once, rows - begin);
    std::fill_n(block_mean, 2 * columns, A(0));
    for (int64_t r = 0; r < count; r++) {
      A* row = block.data() + r * columns;
      fold.load(row, in + (begin + r) * row_stride, columns, fold.element_size);
#pragma GCC ivdep
      for (int64_t c = 0; c < columns; c++) {
        block_mean[c] += row[c];
      }
    }
    const A scale = A(1) / static_cast<A>(count);
#pragma GCC ivdep
    for (int64_t c = 0; c < columns; c++) {
      block_mean[c] *= scale;
    }
    for (int64_t r = 0; r < count; r++) {
      const A* row = block.data() + r * columns;
#pragma GCC ivdep
      for (int64_t c = 0; c < columns; c++) {
        const A difference = row[c] - block_mean[c];
        block_m2[c] += difference * difference;
      }
    }
    const auto added = static_cast<double>(count);
    const double share = added / (n + added);
    const double weight = n * share;
#pragma GCC ivdep
    for (int64_t c = 0; c < columns; c++) {
      const double delta = block_mean[c] - mean[c];
      mean[c] += delta * share;
      m2[c] += block_m2[c] + delta * weight * delta;  // delta may be too large to be squared
    }
    n += added;
  }
}

void init(const Fold&, void* state, int64_t columns) {
  if (columns == 1) {
    *static_cast<Moments*>(state) = {0, 0, 0};
  } else {
    std::fill_n(static_cast<double*>(state), 1 + 2 * columns, 0.0);
  }
}

void merge(const Fold&, void* state, const void* later) {
  static_cast<Moments*>(state)->merge(*static_cast<const Moments*>(later));
}

template <class T>
void finish(const Fold& fold, char* out, int64_t out_stride, void* states, int64_t columns) {
  // {n, mean, m2} of a row is the same as {n, means, m2s} of one column.
  const double* m2 = static_cast<const double*>(states) + 1 + columns;
  for (int64_t c = 0; c < columns; c++) {
    const double result = reducers::variance_of(m2[c], fold.count, fold.correction, fold.take_sqrt);
    *reinterpret_cast<T*>(out + c * out_stride) = static_cast<T>(result);
  }
}

void std_var_kernel(TensorIterator& iter, double correction, bool take_sqrt) {
  AT_DISPATCH_V2(iter.dtype(1), "std_var", AT_WRAP([&] {
                   using A = at::opmath_type<scalar_t>;
                   Fold fold{};
                   fold.state_size = 2 * sizeof(double);
                   fold.init = &init;
                   fold.add_row = &add_row<A>;
                   fold.add_columns = &add_columns<A>;
                   fold.merge = &merge;
                   fold.finish = &finish<scalar_t>;
                   fold.load = &row_fold::load_mapped<reducers::Unchanged, scalar_t, A>;
                   fold.element_size = sizeof(scalar_t);
                   fold.count = elements_per_output(iter);
                   fold.correction = correction;
                   fold.take_sqrt = take_sqrt;
                   run_fold(iter, fold);
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(std_var_stub, &std_var_kernel)

}  // namespace at::native
