// Gradients of softmax and log_softmax, from the result: row by row along the last dimension, neighbouring
// columns together along others.
#include <ATen/native/cpu/activation/softmax.h>
#include <ATen/native/cpu/transpose.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/math/host_exp.h>
#include <ATen/native/math/types.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t max_columns = 256;  // side by side

template <class V>
struct Words {
  using type = Vec<std::conditional_t<std::is_same_v<V, Vec<float>>, uint32_t, uint64_t>>;
};
template <>
struct Words<float> {
  using type = uint32_t;
};
template <>
struct Words<double> {
  using type = uint64_t;
};

// (exp(r) - 1 - r) / r^2 on |r| <= log(2)/2.
template <class Acc, class V>
C10_ALWAYS_INLINE V exp_tail(V r) {
  if constexpr (sizeof(Acc) == 4) {
    return Acc(0x1.fffffcp-2) +
           r * (Acc(0x1.55549p-3) +
                r * (Acc(0x1.5558f4p-5) + r * (Acc(0x1.123a6ap-7) + r * Acc(0x1.6a2368p-10))));
  } else {
    constexpr Acc c[] = {0x1.000000000000ap-1,  0x1.55555555554f9p-3,  0x1.55555555507f1p-5,
                         0x1.1111111127eb9p-7,  0x1.6c16c1844af6dp-10, 0x1.a01a0129a2825p-13,
                         0x1.a01999adcca9ep-16, 0x1.71df26530bb6fp-19, 0x1.28adce84f3e12p-22,
                         0x1.ad7ec7a9ed355p-26};
    V sum = V{} + c[9];
#pragma GCC unroll 9
    for (int i = 8; i >= 0; --i) sum = sum * r + c[i];
    return sum;
  }
}

// exp of log probabilities, which are not positive, for a vector or a scalar: the polynomial is scaled by a
// power of two that is clamped to normal values, below which the result is nearly 0.
template <class Acc, class V>
C10_ALWAYS_INLINE V exp_of_log(V y) {
  using Range = math::host::ExpRange<Acc>;
  using Word = typename Words<V>::type;
  constexpr Acc highest = sizeof(Acc) == 4 ? Acc(87) : Acc(708), magic = math::host::round_magic<Acc>;
  V c = y > highest ? V{} + highest : y;
  c = c < -highest ? V{} - highest : c;
  const V shifted = c * Acc(0x1.71547652b82fep0) + magic, k = shifted - magic;
  const V r = (c - k * Range::ln2_high) - k * Range::ln2_low;
  const V p = r * r * exp_tail<Acc>(r) + r + Acc(1);
  constexpr int shift = math::host::mantissa_bits<Acc>;
  return p *
         __builtin_bit_cast(V, (__builtin_bit_cast(Word, shifted) + math::host::exponent_bias<Acc>) << shift);
}

// The term of an element in its line's sum: for softmax grad * y, for log_softmax grad.
template <bool log, class Acc, class V, class S>
C10_ALWAYS_INLINE V gradient(V grad, V y, S sum) {
  if constexpr (log) {
    return grad - exp_of_log<Acc>(y) * sum;
  } else {
    return (grad - sum) * y;
  }
}

template <bool log, class T>
void backward_row(const T* grad, const T* y, T* out, int64_t n) {
  using Acc = ufunc::opmath<T>;
  const Acc sum = log ? row_sum_as<Acc>(grad, n) : dot_row<Acc>(grad, y, n);
  map_row<Acc>(out, n, [sum](auto g, auto v) { return gradient<log, Acc>(g, v, sum); }, grad, y);
}

// As many rows as a vector has lanes, or fewer, none shorter than a vector: their sums are reduced together.
// The last vector of a row overlaps the one before; it is read before that is overwritten.
template <bool log, class T>
void backward_short_rows(const T* grad, const T* y, T* out, int64_t count, int64_t n) {
  using Acc = ufunc::opmath<T>;
  constexpr int64_t width = lanes<Acc>;
  const int64_t whole = n / width * width, end = n - width;
  const auto term = [&](int64_t at) {
    const Vec<Acc> g = load_as<Acc>(grad + at);
    return log ? g : g * load_as<Acc>(y + at);
  };
  Vec<Acc> parts[width];
  for (int64_t row = count; row < width; ++row) parts[row] = Vec<Acc>{};
  for (int64_t row = 0; row < count; ++row) {
    parts[row] = Vec<Acc>{};
    if (n != whole) parts[row] = lanes_from<Acc>(term(row * n + end), width - (n - whole));
    for (int64_t i = 0; i < whole; i += width) parts[row] += term(row * n + i);
  }
  Acc sum[width];
  store<Acc>(sum, sum_lines<Acc>(parts));
  for (int64_t row = 0; row < count; ++row) {
    const T *g = grad + row * n, *v = y + row * n;
    const auto value = [&](int64_t i) {
      return gradient<log, Acc>(load_as<Acc>(g + i), load_as<Acc>(v + i), sum[row]);
    };
    const Vec<Acc> last = value(end);
    for (int64_t i = 0; i < whole; i += width) store_as<Acc>(out + row * n + i, value(i));
    if (n != whole) store_as<Acc>(out + row * n + end, last);
  }
}

// `width` neighbouring columns of n elements at distance `stride`.
template <bool log, class T>
void backward_columns(const T* grad, const T* y, T* out, int64_t n, int64_t stride, int64_t width,
                      ufunc::opmath<T>* sum) {
  using Acc = ufunc::opmath<T>;
  std::fill(sum, sum + width, Acc(0));
  for (int64_t i = 0; i < n; ++i) {
    map_row<Acc>(
        sum, width, [](auto s, auto g, auto v) { return log ? s + g : s + g * v; }, sum, grad + i * stride,
        y + i * stride);
  }
  for (int64_t i = 0; i < n; ++i) {
    map_row<Acc>(
        out + i * stride, width, [](auto g, auto v, auto s) { return gradient<log, Acc>(g, v, s); },
        grad + i * stride, y + i * stride, sum);
  }
}

template <bool log, class T>
void backward_strided(const T* grad, const T* y, T* out, int64_t outer, int64_t n, int64_t inner) {
  const int64_t width = max_columns;
  const int64_t groups = (inner + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, softmax_work_per_task / (n * std::min(inner, width)));
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

template <bool log, class T>
void backward_rows(const T* grad, const T* y, T* out, int64_t rows, int64_t n) {
  constexpr int64_t together = lanes<ufunc::opmath<T>>, longest_short_row = 512;
  const bool are_short = n >= together && n <= longest_short_row;
  at::parallel_for(0, rows, std::max<int64_t>(1, softmax_work_per_task / n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += are_short ? together : 1) {
      const int64_t at = row * n;
      are_short ? backward_short_rows<log>(grad + at, y + at, out + at, std::min(together, end - row), n)
                : backward_row<log>(grad + at, y + at, out + at, n);
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
        backward_rows<log>(g, y, out, outer, n);
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
