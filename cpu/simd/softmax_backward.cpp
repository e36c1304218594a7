// Gradients of softmax and log_softmax, from the result: rows in cache where the dimension is the last one,
// columns side by side otherwise.
#include <ATen/native/cpu/softmax.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/functors/transcendental.h>
#include <ATen/native/functors/types.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements

// What each element takes from its line: of softmax the sum of grad * y, of its logarithm that of grad.
template <bool log, class Acc>
C10_ALWAYS_INLINE Acc share(Acc grad, Acc y) {
  return log ? grad : grad * y;
}

template <bool log, class Acc>
C10_ALWAYS_INLINE Acc gradient(Acc grad, Acc y, Acc sum) {
  if constexpr (log) {
    return grad - ufunc::exp<Acc>(y) * sum;
  } else {
    return (grad - sum) * y;
  }
}

template <class Acc, class T>
C10_ALWAYS_INLINE Acc sum_row(const T* x, int64_t n) {
  if constexpr (std::is_same_v<T, Acc>) {
    return row_sum(x, n);
  } else {
    Acc sum = 0;
    int64_t i = 0;
    Vec<Acc> part = {};
    for (; i + lanes<Acc> <= n; i += lanes<Acc>) {
      part += load_as<Acc>(x + i);
    }
    sum = sum_lanes<Acc>(part);
    for (; i < n; ++i) {
      sum += static_cast<Acc>(x[i]);
    }
    return sum;
  }
}

template <bool log, class T>
void backward_row(const T* grad, const T* y, T* out, int64_t n) {
  using Acc = ufunc::opmath<T>;
  const Acc sum = log ? sum_row<Acc>(grad, n) : dot_row<Acc>(grad, y, n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(gradient<log, Acc>(static_cast<Acc>(grad[i]), static_cast<Acc>(y[i]), sum));
  }
}

// `width` neighbouring columns of n elements at distance `stride`.
template <bool log, class T>
void backward_columns(const T* grad, const T* y, T* out, int64_t n, int64_t stride, int64_t width,
                      ufunc::opmath<T>* sum) {
  using Acc = ufunc::opmath<T>;
  std::fill(sum, sum + width, Acc(0));
  for (int64_t i = 0; i < n; ++i) {
    const T *g = grad + i * stride, *v = y + i * stride;
    for (int64_t j = 0; j < width; ++j) {
      sum[j] += share<log, Acc>(static_cast<Acc>(g[j]), static_cast<Acc>(v[j]));
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    const T *g = grad + i * stride, *v = y + i * stride;
    T* to = out + i * stride;
#pragma GCC ivdep
    for (int64_t j = 0; j < width; ++j) {
      to[j] = static_cast<T>(gradient<log, Acc>(static_cast<Acc>(g[j]), static_cast<Acc>(v[j]), sum[j]));
    }
  }
}

template <bool log, class T>
void backward_strided(const T* grad, const T* y, T* out, int64_t outer, int64_t n, int64_t inner) {
  constexpr int64_t width = 256;
  const int64_t groups = (inner + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (n * std::min(inner, width)));
  at::parallel_for(0, outer * groups, grain, [&](int64_t begin, int64_t end) {
    ufunc::opmath<T> sum[width];
    for (int64_t task = begin; task < end; ++task) {
      const int64_t first = task % groups * width;
      const int64_t offset = task / groups * n * inner + first;
      backward_columns<log>(grad + offset, y + offset, out + offset, n, inner, std::min(width, inner - first),
                            sum);
    }
  });
}

template <bool log>
void backward_over(const TensorBase& grad_input, const TensorBase& grad, const TensorBase& output,
                   int64_t dim) {
  const int64_t n = grad.dim() == 0 ? 1 : grad.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < grad.dim(); ++d) {
    inner *= grad.size(d);
  }
  const int64_t outer = grad.numel() / (n * inner);
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, grad.scalar_type(), log ? "log_softmax_backward" : "softmax_backward", [&] {
        const auto *g = grad.const_data_ptr<scalar_t>(), *y = output.const_data_ptr<scalar_t>();
        auto* out = grad_input.mutable_data_ptr<scalar_t>();
        if (inner != 1) {
          backward_strided<log>(g, y, out, outer, n, inner);
          return;
        }
        at::parallel_for(0, outer, std::max<int64_t>(1, work_per_task / n), [&](int64_t begin, int64_t end) {
          for (int64_t row = begin; row < end; ++row) {
            backward_row<log>(g + row * n, y + row * n, out + row * n, n);
          }
        });
      });
}

void softmax_backward_impl(const TensorBase& grad_input, const TensorBase& grad, const TensorBase& output,
                           int64_t dim) {
  backward_over<false>(grad_input, grad, output, dim);
}
void log_softmax_backward_impl(const TensorBase& grad_input, const TensorBase& grad, const TensorBase& output,
                               int64_t dim) {
  backward_over<true>(grad_input, grad, output, dim);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(softmax_backward_kernel, &softmax_backward_impl)
REGISTER_DISPATCH(log_softmax_backward_kernel, &log_softmax_backward_impl)

}  // namespace at::native
