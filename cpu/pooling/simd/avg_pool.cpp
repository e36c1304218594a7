// Average pooling: the rows of a window are summed, then the elements of that row. In the backward pass a row
// of gradients is expanded once for all rows that its windows cover.
#include <ATen/native/cpu/pooling/row.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>

#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements of windows

// Avoids overflow: padding may be counted arbitrarily often.
template <class Acc>
C10_ALWAYS_INLINE Acc product(Acc a, Acc b) {
  if constexpr (std::is_integral_v<Acc>) {
    Acc result;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<Acc>::max() : result;
  } else {
    return a * b;
  }
}

template <class Acc>
C10_ALWAYS_INLINE Acc quotient(Acc sum, Acc divisor) {
  if constexpr (std::is_integral_v<Acc>) {
    return divisor == -1 ? static_cast<Acc>(-static_cast<uint64_t>(sum)) : sum / divisor;
  } else {
    return sum / divisor;
  }
}

// The divisor of the windows' sums. Empty windows have the average 0 whatever it is.
template <class Acc>
class Divisors {
 public:
  Divisors(const Pooling& pooling, const PoolWindows& windows)
      : windows_(windows), given_(static_cast<Acc>(pooling.divisor)) {
    for (const auto& window : windows.width.windows) {
      width_.push_back(given_ != 0 || window.begin >= window.end ? Acc(1) : static_cast<Acc>(window.count));
    }
  }

  // Without the width's factor.
  Acc of_row(int64_t od, int64_t oh) const {
    if (given_ != 0) return given_;
    const auto &depth = windows_.depth[od], &height = windows_.height[oh];
    if (depth.begin >= depth.end || height.begin >= height.end) return Acc(1);
    return product(static_cast<Acc>(depth.count), static_cast<Acc>(height.count));
  }
  const Acc* width() const { return width_.data(); }

 private:
  const PoolWindows& windows_;
  Acc given_;
  std::vector<Acc> width_;
};

template <class Acc, class T>
C10_ALWAYS_INLINE void add_row(Acc* sum, const T* row, int64_t n) {
  map_row<Acc>(sum, n, [](auto a, auto b) { return wrapping_sum(a, b); }, sum, row);
}

// -------------------- Contiguous planes

template <class T>
class PlanesAverage {
  using Acc = opmath_type<T>;

 public:
  PlanesAverage(const Pooling& pooling, const PoolWindows& windows)
      : windows_(windows),
        divisors_(pooling, windows),
        vectors_(PoolRow<Acc>::suits(pooling.axes[2])),
        row_(vectors_ ? pooling.axes[2] : PoolAxis{}, Acc(0)),
        column_(windows.width.input),
        sums_(whole_vectors<Acc>(windows.width.output)) {}

  // A row of windows.
  void row(const T* plane, int64_t od, int64_t oh, T* C10_RESTRICT out) {
    const int64_t width = windows_.width.input;
    std::fill(column_.begin(), column_.end(), Acc(0));
    windows_.for_each_row(od, oh, [&](int64_t d, int64_t h) {
      add_row(column_.data(), plane + (d * windows_.height.input + h) * width, width);
    });
    vectors_ ? add_taps() : add_windows();
    const Acc divisor = divisors_.of_row(od, oh);
    const Acc *sums = sums_.data(), *of_width = divisors_.width();
    for (int64_t o = 0; o < windows_.width.output; ++o) {
      out[o] = static_cast<T>(quotient(sums[o], product(divisor, of_width[o])));
    }
  }

 private:
  void add_taps() {
    row_.set(column_.data());
    for (int64_t j = 0; j < windows_.width.output; j += lanes<Acc>) {
      Vec<Acc> sum = {};
      for (const Acc* tap : row_.taps()) sum = wrapping_sum(sum, load(tap + j));
      store(sums_.data() + j, sum);
    }
  }

  void add_windows() {
    for (int64_t o = 0; o < windows_.width.output; ++o) {
      const auto& window = windows_.width[o];
      Acc sum = 0;
      for (int64_t w = window.begin; w < window.end; ++w) sum = wrapping_sum<Acc>(sum, column_[w]);
      sums_[o] = sum;
    }
  }

  const PoolWindows& windows_;
  Divisors<Acc> divisors_;
  bool vectors_;
  PoolRow<Acc> row_;
  std::vector<Acc> column_, sums_;
};

template <class T>
void average_planes(const Pooling& pooling, const T* input, T* output) {
  const PoolWindows windows(pooling);
  const int64_t depth = windows.depth.output, height = windows.height.output, width = windows.width.output;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (width * window_work(pooling)));
  at::parallel_for(0, pooling.planes() * depth * height, grain, [&](int64_t begin, int64_t end) {
    PlanesAverage<T> kernel(pooling, windows);
    for (int64_t row = begin; row < end; ++row) {
      const T* plane = input + row / (depth * height) * pooling.input_size();
      kernel.row(plane, row / height % depth, row % height, output + row * width);
    }
  });
}

// -------------------- Their gradients

// The windows that cover an element, along one dimension: [first, last).
struct Reach {
  int64_t first, last;
  bool operator==(const Reach&) const = default;
};

std::vector<Reach> reach_of(const PoolAxis& axis) {
  std::vector<Reach> reach;
  for (int64_t i = 0; i < axis.input; ++i) reach.push_back({axis.first_over(i), axis.last_over(i)});
  return reach;
}

// Neighbouring elements that the same windows cover.
struct Run {
  int64_t begin, end;
  Reach windows;
};

std::vector<Run> runs_of(const PoolAxis& axis) {
  std::vector<Run> runs;
  for (const Reach& windows : reach_of(axis)) {
    const int64_t i = runs.empty() ? 0 : runs.back().end;
    if (!runs.empty() && runs.back().windows == windows) {
      runs.back().end = i + 1;
    } else {
      runs.push_back({i, i + 1, windows});
    }
  }
  return runs;
}

template <class T>
class PlanesGradient {
  using Acc = opmath_type<T>;

 public:
  PlanesGradient(const Pooling& pooling, const PoolWindows& windows)
      : windows_(windows),
        divisors_(pooling, windows),
        vectors_(PoolRow<Acc>::suits(pooling.axes[2])),
        row_(vectors_ ? pooling.axes[2] : PoolAxis{}, Acc(0)),
        sums_(windows.width.output),
        spread_(windows.width.input) {}

  // All rows of two runs, which are equal.
  void rows(const T* grad, const Run& depth, const Run& height, T* out) {
    std::fill(sums_.begin(), sums_.end(), Acc(0));
    for (int64_t od = depth.windows.first; od < depth.windows.last; ++od) {
      for (int64_t oh = height.windows.first; oh < height.windows.last; ++oh) add_gradient(grad, od, oh);
    }
    const int64_t width = windows_.width.input;
    T* row = out + (depth.begin * windows_.height.input + height.begin) * width;
    spread(row);
    for (int64_t d = depth.begin; d < depth.end; ++d) {
      for (int64_t h = height.begin; h < height.end; ++h) {
        T* to = out + (d * windows_.height.input + h) * width;
        if (to != row) std::copy_n(row, width, to);
      }
    }
  }

 private:
  void add_gradient(const T* grad, int64_t od, int64_t oh) {
    const int64_t width = windows_.width.output;
    const T* row = grad + (od * windows_.height.output + oh) * width;
    const Acc divisor = divisors_.of_row(od, oh), *of_width = divisors_.width();
    Acc* C10_RESTRICT sums = sums_.data();
    for (int64_t o = 0; o < width; ++o) {
      const Acc share = quotient(static_cast<Acc>(row[o]), product(divisor, of_width[o]));
      sums[o] = wrapping_sum<Acc>(sums[o], share);
    }
  }

  // Stores to each element the sum of the windows that cover it.
  void spread(T* row) {
    if (vectors_) {
      row_.clear();
      for (Acc* tap : row_.taps()) add_row(tap, sums_.data(), windows_.width.output);
      row_.get(row);
      return;
    }
    std::fill(spread_.begin(), spread_.end(), Acc(0));
    for (int64_t o = 0; o < windows_.width.output; ++o) {
      const auto& window = windows_.width[o];
      for (int64_t w = window.begin; w < window.end; ++w) {
        spread_[w] = wrapping_sum<Acc>(spread_[w], sums_[o]);
      }
    }
    std::copy(spread_.begin(), spread_.end(), row);
  }

  const PoolWindows& windows_;
  Divisors<Acc> divisors_;
  bool vectors_;
  PoolRow<Acc> row_;
  std::vector<Acc> sums_, spread_;
};

template <class T>
void average_planes_backward(const Pooling& pooling, const T* grad, T* out) {
  const PoolWindows windows(pooling);
  const std::vector<Run> depth = runs_of(pooling.axes[0]), height = runs_of(pooling.axes[1]);
  const int64_t inputs = pooling.input_size(), outputs = pooling.output_size();
  const int64_t runs = static_cast<int64_t>(depth.size() * height.size());
  const int64_t grain = std::max<int64_t>(1, work_per_task * runs / inputs);
  at::parallel_for(0, pooling.planes() * runs, grain, [&](int64_t begin, int64_t end) {
    PlanesGradient<T> kernel(pooling, windows);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / runs, run = i % runs, rows = static_cast<int64_t>(height.size());
      kernel.rows(grad + plane * outputs, depth[run / rows], height[run % rows], out + plane * inputs);
    }
  });
}

// -------------------- Channels last

// A term of a sum over neighbouring channels: its address and its factor (for integers: its divisor).
template <class Acc>
struct Term {
  int64_t offset;
  Acc factor;
};

template <class Acc>
C10_ALWAYS_INLINE Acc factor_of(Acc divisor) {
  return std::is_integral_v<Acc> ? divisor : Acc(1) / divisor;
}

template <class Acc, class V>
C10_ALWAYS_INLINE V scaled(V value, Acc factor) {
  if constexpr (std::is_integral_v<Acc>) {
    if constexpr (std::is_same_v<V, Acc>) {
      return quotient(value, factor);
    } else {
      for (int lane = 0; lane < lanes<Acc>; ++lane) value[lane] = quotient(Acc(value[lane]), factor);
      return value;
    }
  } else {
    return value * factor;
  }
}

// sum_channels() for `n` vectors.
template <int n, class T, class Acc>
C10_ALWAYS_INLINE void sum_vectors(const T* from, const std::vector<Term<Acc>>& terms, Acc factor, T* out) {
  Vec<Acc> sum[n] = {};
  for (const auto& term : terms) {
#pragma GCC unroll 4
    for (int k = 0; k < n; ++k) {
      sum[k] = wrapping_sum(sum[k], scaled(load_as<Acc>(from + term.offset + k * lanes<Acc>), term.factor));
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < n; ++k) store_as<Acc>(out + k * lanes<Acc>, scaled(sum[k], factor));
}

// out[c] = scaled(sum of scaled(from[offset + c], each factor), factor)
template <class T, class Acc = opmath_type<T>>
void sum_channels(const T* from, const std::vector<Term<Acc>>& terms, Acc factor, int64_t channels, T* out) {
  constexpr int64_t width = lanes<Acc>;
  int64_t c = 0;
  for (; c + 4 * width <= channels; c += 4 * width) sum_vectors<4>(from + c, terms, factor, out + c);
  for (; c + width <= channels; c += width) sum_vectors<1>(from + c, terms, factor, out + c);
  for (; c < channels; ++c) {
    Acc sum = 0;
    for (const auto& term : terms) {
      sum = wrapping_sum<Acc>(sum, scaled(load_one<Acc>(from + term.offset + c), term.factor));
    }
    store_one(out + c, scaled(sum, factor));
  }
}

template <class T>
void average_channels(const Pooling& pooling, const T* input, T* output) {
  using Acc = opmath_type<T>;
  const PoolWindows windows(pooling);
  const Divisors<Acc> divisors(pooling, windows);
  const int64_t height = windows.height.output, width = windows.width.output;
  const int64_t channels = pooling.channels, places = pooling.output_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / (channels * window_work(pooling)));
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    std::vector<Term<Acc>> terms;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ow = i % width, oh = i / width % height, od = i / (width * height) % windows.depth.output;
      const auto& columns = windows.width[ow];
      terms.clear();
      windows.for_each_row(od, oh, [&](int64_t d, int64_t h) {
        const int64_t row = (d * windows.height.input + h) * windows.width.input;
        for (int64_t w = columns.begin; w < columns.end; ++w) terms.push_back({(row + w) * channels, Acc(1)});
      });
      const Acc factor = factor_of(product(divisors.of_row(od, oh), divisors.width()[ow]));
      sum_channels(input + i / places * pooling.input_size() * channels, terms, factor, channels,
                   output + i * channels);
    }
  });
}

template <class T>
void average_channels_backward(const Pooling& pooling, const T* grad, T* out) {
  using Acc = opmath_type<T>;
  const PoolWindows windows(pooling);
  const Divisors<Acc> divisors(pooling, windows);
  const auto depth = reach_of(pooling.axes[0]), height = reach_of(pooling.axes[1]),
             width = reach_of(pooling.axes[2]);
  const int64_t rows = windows.height.input, columns = windows.width.input;
  const int64_t channels = pooling.channels, places = pooling.input_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / channels);
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    std::vector<Term<Acc>> terms;
    for (int64_t i = begin; i < end; ++i) {
      const Reach w = width[i % columns], h = height[i / columns % rows],
                  d = depth[i % places / (rows * columns)];
      terms.clear();
      for (int64_t od = d.first; od < d.last; ++od) {
        for (int64_t oh = h.first; oh < h.last; ++oh) {
          const int64_t row = (od * windows.height.output + oh) * windows.width.output;
          const Acc divisor = divisors.of_row(od, oh);
          for (int64_t ow = w.first; ow < w.last; ++ow) {
            terms.push_back({(row + ow) * channels, factor_of(product(divisor, divisors.width()[ow]))});
          }
        }
      }
      sum_channels(grad + i / places * pooling.output_size() * channels, terms, Acc(1), channels,
                   out + i * channels);
    }
  });
}

void avg_pool_impl(const Pooling& pooling, const TensorBase& input, const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND3(kLong, kHalf, kBFloat16, input.scalar_type(), "avg_pool", [&] {
    const auto* from = input.const_data_ptr<scalar_t>();
    auto* to = output.mutable_data_ptr<scalar_t>();
    pooling.channels_last ? average_channels(pooling, from, to) : average_planes(pooling, from, to);
  });
}

void avg_pool_backward_impl(const Pooling& pooling, const TensorBase& grad_output,
                            const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND3(kLong, kHalf, kBFloat16, grad_input.scalar_type(), "avg_pool_backward",
                                  [&] {
                                    const auto* from = grad_output.const_data_ptr<scalar_t>();
                                    auto* to = grad_input.mutable_data_ptr<scalar_t>();
                                    pooling.channels_last ? average_channels_backward(pooling, from, to)
                                                          : average_planes_backward(pooling, from, to);
                                  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(avg_pool_stub, &avg_pool_impl)
REGISTER_DISPATCH(avg_pool_backward_stub, &avg_pool_backward_impl)

}  // namespace at::native
