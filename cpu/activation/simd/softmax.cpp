// softmax and log_softmax: row by row, in cache, along the last dimension; neighbouring columns together
// along others.
#include <ATen/native/cpu/activation/softmax.h>
#include <ATen/native/cpu/transpose.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/elementwise/functors/transcendental.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// y = exp(x - maximum)
template <class Acc>
void exp_row(const Acc* x, Acc* y, int64_t n, Acc maximum) {
  const auto f = [maximum](auto v) { return ufunc::exp<decltype(v)>(v - maximum); };
  if constexpr (ufunc::takes_registers<"exp">) {
    map_row<Acc>(y, n, f, x);
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      y[i] = f(x[i]);
    }
  }
}

template <class Acc>
Acc exponentials(const Acc* x, Acc* y, int64_t n, Acc maximum) {
  constexpr int64_t piece = 1024;  // summed while still in the first-level cache
  Acc sum = 0;
  for (int64_t i = 0; i < n; i += piece) {
    const int64_t count = std::min(piece, n - i);
    exp_row(x + i, y + i, count, maximum);
    sum += row_sum(y + i, count);
  }
  return sum;
}

template <class Acc>
Acc sum_of_exponentials(const Acc* x, int64_t n, Acc maximum) {
  constexpr int64_t piece = 1024;
  Acc buffer[piece], sum = 0;
  for (int64_t i = 0; i < n; i += piece) {
    sum += exponentials(x + i, buffer, std::min(piece, n - i), maximum);
  }
  return sum;
}

template <bool log, class T, class Acc>
void softmax_row(const T* in, T* out, int64_t n, Acc* buffer) {
  const Acc* x = widened(in, n, buffer);
  Acc* y = buffer;
  if constexpr (std::is_same_v<T, Acc>) y = out;
  const Acc maximum = row_max(x, n);
  if constexpr (log) {
    const Acc shift = std::log(sum_of_exponentials(x, n, maximum));
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      y[i] = (x[i] - maximum) - shift;
    }
  } else {
    const Acc factor = Acc(1) / exponentials(x, y, n, maximum);
    for (int64_t i = 0; i < n; ++i) {
      y[i] *= factor;
    }
  }
  if constexpr (!std::is_same_v<T, Acc>) convert(y, out, n);
}

// ---- short rows, as many at a time as a vector has lanes, one row per lane. Rows must not be shorter than a
// vector; the last vector of a row overlaps the one before.

constexpr int64_t longest_short_row = 512;

template <class Acc>
struct ShortRows {
  Acc shifted[lanes<Acc> * longest_short_row], exponentials[lanes<Acc> * longest_short_row];
};

// Calls f with the beginning of each vector of a row, the full ones first.
template <class Acc, class F>
C10_ALWAYS_INLINE void for_vectors(int64_t n, const F& f) {
  int64_t i = 0;
  for (; i + lanes<Acc> <= n; i += lanes<Acc>) f(i);
  if (i < n) f(n - lanes<Acc>);
}

template <class Acc, class T>
C10_ALWAYS_INLINE Vec<Acc> maxima(const T* x, int64_t count, int64_t n) {
  Vec<Acc> largest[lanes<Acc>];
  for (int64_t row = count; row < lanes<Acc>; ++row) largest[row] = Vec<Acc>{};
  for (int64_t row = 0; row < count; ++row, x += n) {
    Vec<Acc> all = Vec<Acc>{} - static_cast<Acc>(__builtin_inf());
    for_vectors<Acc>(n, [&](int64_t i) {
      const Vec<Acc> v = load_as<Acc>(x + i);
      all = v > all ? v : all;
    });
    largest[row] = all;
  }
  return combine_lines<Acc>(largest, [](auto a, auto b) { return b > a ? b : a; });
}

template <class Acc>
C10_ALWAYS_INLINE Vec<Acc> sums(const Acc* x, int64_t count, int64_t n) {
  const int64_t whole = n / lanes<Acc> * lanes<Acc>;
  Vec<Acc> sum[lanes<Acc>];
  for (int64_t row = count; row < lanes<Acc>; ++row) sum[row] = Vec<Acc>{};
  for (int64_t row = 0; row < count; ++row, x += n) {
    Vec<Acc> all = {};
    if (n != whole) all = lanes_from<Acc>(load(x + n - lanes<Acc>), lanes<Acc> - (n - whole));
    for (int64_t i = 0; i < whole; i += lanes<Acc>) all += load(x + i);
    sum[row] = all;
  }
  return sum_lines<Acc>(sum);
}

template <bool log, class T, class Acc>
void softmax_short_rows(const T* in, T* out, int64_t count, int64_t n, ShortRows<Acc>& buffer) {
  Acc by_row[lanes<Acc>];
  store<Acc>(by_row, maxima<Acc>(in, count, n));
  for (int64_t row = 0; row < count; ++row) {
    for_vectors<Acc>(n, [&](int64_t i) {
      store<Acc>(buffer.shifted + row * n + i, load_as<Acc>(in + row * n + i) - by_row[row]);
    });
  }
  exp_row(buffer.shifted, buffer.exponentials, count * n, Acc(0));
  store<Acc>(by_row, sums(buffer.exponentials, count, n));
  for (int lane = 0; lane < lanes<Acc>; ++lane) {
    by_row[lane] = log ? ufunc::log<Acc>(by_row[lane]) : Acc(1) / by_row[lane];
  }
  for (int64_t row = 0; row < count; ++row) {
    for_vectors<Acc>(n, [&](int64_t i) {
      const Vec<Acc> y = log ? load(buffer.shifted + row * n + i) - by_row[row]
                             : load(buffer.exponentials + row * n + i) * by_row[row];
      store_as<Acc>(out + row * n + i, y);
    });
  }
}

template <bool log, class T>
void softmax_rows(const T* in, T* out, int64_t rows, int64_t n) {
  using Acc = ufunc::opmath<T>;
  at::parallel_for(0, rows, std::max<int64_t>(1, softmax_work_per_task / n), [&](int64_t begin, int64_t end) {
    if (n >= lanes<Acc> && n <= longest_short_row) {
      ShortRows<Acc> buffer;
      for (int64_t row = begin; row < end; row += lanes<Acc>) {
        softmax_short_rows<log>(in + row * n, out + row * n, std::min<int64_t>(lanes<Acc>, end - row), n,
                                buffer);
      }
      return;
    }
    std::vector<Acc> buffer(std::is_same_v<T, Acc> ? 0 : n);
    for (int64_t row = begin; row < end; ++row) {
      softmax_row<log>(in + row * n, out + row * n, n, buffer.data());
    }
  });
}

// `width` neighbouring columns of n elements at distance `stride`.
template <bool log, class T>
void softmax_columns(const T* in, T* out, int64_t n, int64_t stride, int64_t width, ufunc::opmath<T>* maximum,
                     ufunc::opmath<T>* sum) {
  using Acc = ufunc::opmath<T>;
  std::fill(maximum, maximum + width, -static_cast<Acc>(__builtin_inf()));
  std::fill(sum, sum + width, Acc(0));
  for (int64_t i = 0; i < n; ++i) {
    const T* x = in + i * stride;
    for (int64_t j = 0; j < width; ++j) {
      const Acc value = static_cast<Acc>(x[j]);
      maximum[j] = value > maximum[j] ? value : maximum[j];
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    const T* x = in + i * stride;
    for (int64_t j = 0; j < width; ++j) {
      sum[j] += ufunc::exp<Acc>(static_cast<Acc>(x[j]) - maximum[j]);
    }
  }
  for (int64_t j = 0; j < width; ++j) {
    sum[j] = log ? ufunc::log<Acc>(sum[j]) : Acc(1) / sum[j];
  }
  for (int64_t i = 0; i < n; ++i) {
    const T* x = in + i * stride;
    T* y = out + i * stride;
    for (int64_t j = 0; j < width; ++j) {
      const Acc shifted = static_cast<Acc>(x[j]) - maximum[j];
      y[j] = static_cast<T>(log ? shifted - sum[j] : ufunc::exp<Acc>(shifted) * sum[j]);
    }
  }
}

template <bool log, class T>
void softmax_strided(const T* in, T* out, int64_t outer, int64_t n, int64_t inner) {
  constexpr int64_t width = 256;
  const int64_t groups = (inner + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, softmax_work_per_task / (n * std::min(inner, width)));
  at::parallel_for(0, outer * groups, grain, [&](int64_t begin, int64_t end) {
    ufunc::opmath<T> maximum[width], sum[width];
    for (int64_t task = begin; task < end; ++task) {
      const int64_t first = task % groups * width;
      const int64_t offset = task / groups * n * inner + first;
      softmax_columns<log>(in + offset, out + offset, n, inner, std::min(width, inner - first), maximum, sum);
    }
  });
}

template <bool log>
void softmax_over(const TensorBase& output, const TensorBase& input, int64_t dim) {
  const int64_t n = input.dim() == 0 ? 1 : input.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < input.dim(); ++d) {
    inner *= input.size(d);
  }
  const int64_t outer = input.numel() / (n * inner);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), log ? "log_softmax" : "softmax",
                                  [&] {
                                    const scalar_t* in = input.const_data_ptr<scalar_t>();
                                    scalar_t* out = output.mutable_data_ptr<scalar_t>();
                                    if (inner == 1) {
                                      softmax_rows<log>(in, out, outer, n);
                                    } else {
                                      softmax_strided<log>(in, out, outer, n, inner);
                                    }
                                  });
}

void softmax_impl(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax_over<false>(output, input, dim);
}
void log_softmax_impl(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax_over<true>(output, input, dim);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(softmax_kernel, &softmax_impl)
REGISTER_DISPATCH(log_softmax_kernel, &log_softmax_impl)

}  // namespace at::native
