// Gradients of softmax and log_softmax, from the result: rows in cache where the dimension is the last one,
// columns side by side otherwise.
#include <ATen/native/cpu/softmax.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/functors/host_exp.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements
constexpr int64_t max_columns = 256;      // side by side

// exp of a logarithm of a probability: as it is not above 0, a power of two that is a normal number scales
// the polynomial, below which the result is nearly 0.
template <class F>
C10_ALWAYS_INLINE F exp_of_log(F y) {
  using Range = math::host::ExpRange<F>;
  constexpr F lowest = sizeof(F) == 4 ? F(-87) : F(-708), highest = -lowest;
  F c = y > highest ? highest : y;
  c = c < lowest ? lowest : c;
  const F magic = math::host::round_magic<F>;
  const F k = math::host::mad(c, F(0x1.71547652b82fep0), magic) - magic;
  const F r = math::host::mad(-k, Range::ln2_low, math::host::mad(-k, Range::ln2_high, c));
  const F p = math::host::mad(r * r, math::host::exp_tail(r), r) + F(1);
  return p * math::host::power_of_two<F>(k);
}

// Each element takes part of a sum of its line: of softmax that of grad * y, of its logarithm that of grad.
template <bool log, class Acc>
C10_ALWAYS_INLINE Acc gradient(Acc grad, Acc y, Acc sum) {
  if constexpr (log) {
    return grad - exp_of_log(y) * sum;
  } else {
    return (grad - sum) * y;
  }
}

template <bool log, class T>
C10_ALWAYS_INLINE ufunc::opmath<T> sum_of_row(const T* grad, const T* y, int64_t n) {
  using Acc = ufunc::opmath<T>;
  constexpr bool is_wide = std::is_same_v<T, Acc>;
  constexpr int64_t chunk = is_wide ? 1 : chunk_size;
  Acc grads[chunk], values[chunk], sum = 0;
  const int64_t step = is_wide ? n : chunk_size;
  for (int64_t first = 0; first < n; first += step) {
    const int64_t size = std::min(step, n - first);
    const Acc* g = widened(grad + first, size, grads);
    sum += log ? row_sum(g, size) : dot_row<Acc>(g, widened(y + first, size, values), size);
  }
  return sum;
}

template <bool log, class T>
void backward_row(const T* grad, const T* y, T* out, int64_t n) {
  using Acc = ufunc::opmath<T>;
  const Acc sum = sum_of_row<log>(grad, y, n);
  const T* const inputs[2] = {grad, y};
  map_widened(inputs, out, n, [sum](const Acc* const* in, Acc* result, int64_t size, int64_t) {
    const Acc *g = in[0], *v = in[1];
#pragma GCC ivdep
    for (int64_t i = 0; i < size; ++i) {
      result[i] = gradient<log>(g[i], v[i], sum);
    }
  });
}

// `width` neighbouring columns of n elements at distance `stride`.
template <bool log, class T>
void backward_columns(const T* grad, const T* y, T* out, int64_t n, int64_t stride, int64_t width,
                      ufunc::opmath<T>* sum) {
  using Acc = ufunc::opmath<T>;
  std::fill(sum, sum + width, Acc(0));
  Acc grads[max_columns], values[max_columns];
  for (int64_t i = 0; i < n; ++i) {
    const Acc *g = widened(grad + i * stride, width, grads),
              *v = log ? nullptr : widened(y + i * stride, width, values);
    for (int64_t j = 0; j < width; ++j) {
      sum[j] += log ? g[j] : g[j] * v[j];
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    const T* const inputs[2] = {grad + i * stride, y + i * stride};
    map_widened(inputs, out + i * stride, width, [sum](const Acc* const* in, Acc* to, int64_t size, int64_t) {
      const Acc *g = in[0], *v = in[1];
#pragma GCC ivdep
      for (int64_t j = 0; j < size; ++j) {
        to[j] = gradient<log>(g[j], v[j], sum[j]);
      }
    });
  }
}

template <bool log, class T>
void backward_strided(const T* grad, const T* y, T* out, int64_t outer, int64_t n, int64_t inner) {
  const int64_t width = max_columns;
  const int64_t groups = (inner + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (n * std::min(inner, width)));
  at::parallel_for(0, outer * groups, grain, [&](int64_t begin, int64_t end) {
    ufunc::opmath<T> sum[max_columns];
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
