// Average pooling: the rows of a window are added up, then the elements of that row. Backwards a row of
// gradients is spread once for all rows that its windows reach over.
#include <ATen/native/cpu/PoolRow.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>

#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements of windows

// Integers stay in range: counts of padding may be as large as they like.
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

// What the sum of a window is divided by, but for the factor of its width.
template <class Acc>
Acc divisor_of(const Pooling& pooling, int64_t od, int64_t oh) {
  if (pooling.divisor != 0) return static_cast<Acc>(pooling.divisor);
  return product(static_cast<Acc>(pooling.axes[0].count(od, pooling.count_include_pad)),
                 static_cast<Acc>(pooling.axes[1].count(oh, pooling.count_include_pad)));
}

// That factor for each window of a row. Empty windows have the average 0, whatever they are divided by.
template <class Acc>
std::vector<Acc> width_divisors(const Pooling& pooling) {
  const PoolAxis& width = pooling.axes[2];
  std::vector<Acc> divisors(whole_vectors<Acc>(width.output), Acc(1));
  for (int64_t o = 0; o < width.output && pooling.divisor == 0; ++o) {
    if (width.begin(o) < width.end(o)) {
      divisors[o] = static_cast<Acc>(width.count(o, pooling.count_include_pad));
    }
  }
  return divisors;
}

template <class Acc, class T>
C10_ALWAYS_INLINE void add_row(Acc* C10_RESTRICT sum, const T* C10_RESTRICT row, int64_t n) {
  for (int64_t i = 0; i < n; ++i) sum[i] += static_cast<Acc>(row[i]);
}

// -------------------- Planes one behind the other

template <class T>
class PlanesAverage {
  using Acc = opmath_type<T>;

 public:
  explicit PlanesAverage(const Pooling& pooling)
      : pooling_(pooling),
        width_(pooling.axes[2]),
        vectors_(PoolRow<Acc>::suits(width_)),
        row_(vectors_ ? width_ : PoolAxis{}, Acc(0)),
        column_(width_.input),
        sums_(whole_vectors<Acc>(width_.output)),
        divisors_(width_divisors<Acc>(pooling)) {}

  // A row of windows.
  void row(const T* plane, int64_t od, int64_t oh, T* out) {
    const PoolAxis &depth = pooling_.axes[0], &height = pooling_.axes[1];
    std::fill(column_.begin(), column_.end(), Acc(0));
    bool empty = true;
    for (int64_t d = depth.begin(od); d < depth.end(od); ++d) {
      for (int64_t h = height.begin(oh); h < height.end(oh); ++h) {
        add_row(column_.data(), plane + (d * height.input + h) * width_.input, width_.input);
        empty = false;
      }
    }
    vectors_ ? add_taps() : add_windows();
    const Acc divisor = empty ? Acc(1) : divisor_of<Acc>(pooling_, od, oh);
    for (int64_t o = 0; o < width_.output; ++o) {
      out[o] = static_cast<T>(quotient(sums_[o], product(divisor, divisors_[o])));
    }
  }

 private:
  void add_taps() {
    row_.set(column_.data());
    for (int64_t j = 0; j < width_.output; j += lanes<Acc>) {
      Vec<Acc> sum = {};
      for (const Acc* tap : row_.taps()) sum += load(tap + j);
      store(sums_.data() + j, sum);
    }
  }

  void add_windows() {
    for (int64_t o = 0; o < width_.output; ++o) {
      Acc sum = 0;
      for (int64_t w = width_.begin(o), end = width_.end(o); w < end; ++w) sum += column_[w];
      sums_[o] = sum;
    }
  }

  const Pooling& pooling_;
  const PoolAxis& width_;
  bool vectors_;
  PoolRow<Acc> row_;
  std::vector<Acc> column_, sums_, divisors_;
};

int64_t window_work(const Pooling& pooling) {
  return std::max<int64_t>(1, pooling.input_size() / std::max<int64_t>(1, pooling.output_size()));
}

template <class T>
void average_planes(const Pooling& pooling, const T* input, T* output) {
  const int64_t depth = pooling.axes[0].output, height = pooling.axes[1].output,
                width = pooling.axes[2].output;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (width * window_work(pooling)));
  at::parallel_for(0, pooling.planes() * depth * height, grain, [&](int64_t begin, int64_t end) {
    PlanesAverage<T> kernel(pooling);
    for (int64_t row = begin; row < end; ++row) {
      const T* plane = input + row / (depth * height) * pooling.input_size();
      kernel.row(plane, row / height % depth, row % height, output + row * width);
    }
  });
}

// Rows of input that the same windows reach over have the same gradient.
template <class T>
class PlanesGradient {
  using Acc = opmath_type<T>;

 public:
  explicit PlanesGradient(const Pooling& pooling)
      : pooling_(pooling),
        width_(pooling.axes[2]),
        sums_(width_.output),
        spread_(width_.input),
        divisors_(width_divisors<Acc>(pooling)) {}

  void row(const T* grad, int64_t d, int64_t h, T* out) {
    const PoolAxis &depth = pooling_.axes[0], &height = pooling_.axes[1];
    std::fill(sums_.begin(), sums_.end(), Acc(0));
    for (int64_t od = depth.first_over(d); od < depth.last_over(d); ++od) {
      for (int64_t oh = height.first_over(h); oh < height.last_over(h); ++oh) {
        const Acc divisor = divisor_of<Acc>(pooling_, od, oh);
        const T* row = grad + (od * height.output + oh) * width_.output;
        for (int64_t o = 0; o < width_.output; ++o) {
          sums_[o] += quotient(static_cast<Acc>(row[o]), product(divisor, divisors_[o]));
        }
      }
    }
    spread();
    for (int64_t w = 0; w < width_.input; ++w) out[w] = static_cast<T>(spread_[w]);
  }

  // Whether row h has the windows of the one before it.
  bool same_as_before(int64_t h) const {
    const PoolAxis& height = pooling_.axes[1];
    return h > 0 && height.first_over(h) == height.first_over(h - 1) &&
           height.last_over(h) == height.last_over(h - 1);
  }

 private:
  void spread() {
    if (width_.adaptive || width_.padding != 0) return spread_windows();
    if (width_.stride == 1) return spread_taps();
    if (width_.stride == 2 && width_.kernel == 2) return spread_pairs();
    spread_windows();
  }

  void spread_windows() {
    std::fill(spread_.begin(), spread_.end(), Acc(0));
    for (int64_t o = 0; o < width_.output; ++o) {
      for (int64_t w = width_.begin(o), end = width_.end(o); w < end; ++w) spread_[w] += sums_[o];
    }
  }

  void spread_taps() {
    std::fill(spread_.begin(), spread_.end(), Acc(0));
    for (int64_t t = 0; t < std::min(width_.kernel, width_.input); ++t) {
      add_row(spread_.data() + t, sums_.data(), std::min(width_.output, width_.input - t));
    }
  }

  void spread_pairs() {
    const int64_t pairs = std::min(width_.output, width_.input / 2);
    Acc* C10_RESTRICT to = spread_.data();
    const Acc* C10_RESTRICT from = sums_.data();
    for (int64_t o = 0; o < pairs; ++o) {
      to[2 * o] = from[o];
      to[2 * o + 1] = from[o];
    }
    for (int64_t w = 2 * pairs; w < width_.input; ++w) to[w] = w / 2 < width_.output ? from[w / 2] : Acc(0);
  }

  const Pooling& pooling_;
  const PoolAxis& width_;
  std::vector<Acc> sums_, spread_, divisors_;
};

template <class T>
void average_planes_backward(const Pooling& pooling, const T* grad, T* out) {
  const int64_t depth = pooling.axes[0].input, height = pooling.axes[1].input, width = pooling.axes[2].input;
  const int64_t grain = std::max<int64_t>(1, work_per_task / width);
  at::parallel_for(0, pooling.planes() * depth * height, grain, [&](int64_t begin, int64_t end) {
    PlanesGradient<T> kernel(pooling);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t d = row / height % depth, h = row % height;
      if (row > begin && kernel.same_as_before(h)) {
        std::copy_n(out + (row - 1) * width, width, out + row * width);
      } else {
        kernel.row(grad + row / (depth * height) * pooling.output_size(), d, h, out + row * width);
      }
    }
  });
}

// -------------------- Channels last

template <class T>
void average_channels(const Pooling& pooling, const T* input, T* output) {
  using Acc = opmath_type<T>;
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  const int64_t channels = pooling.channels, places = pooling.output_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / (channels * window_work(pooling)));
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    const std::vector<Acc> divisors = width_divisors<Acc>(pooling);
    std::vector<Acc> sum(channels);
    WindowPlaces window;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ow = i % width.output, oh = i / width.output % height.output;
      const int64_t od = i / (width.output * height.output) % depth.output;
      const T* image = input + i / places * pooling.input_size() * channels;
      window.gather(pooling, od, oh, ow);
      std::fill(sum.begin(), sum.end(), Acc(0));
      for (const int64_t place : window.places()) add_row(sum.data(), image + place * channels, channels);
      const Acc divisor =
          window.places().empty() ? Acc(1) : product(divisor_of<Acc>(pooling, od, oh), divisors[ow]);
      for (int64_t c = 0; c < channels; ++c) {
        output[i * channels + c] = static_cast<T>(quotient(sum[c], divisor));
      }
    }
  });
}

// Adds what the windows over one place of an image give to it.
template <class T, class Acc>
void add_windows_over(const Pooling& pooling, const T* grad, int64_t d, int64_t h, int64_t w,
                      const std::vector<Acc>& divisors, std::vector<Acc>& sum) {
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  const int64_t channels = pooling.channels;
  for (int64_t od = depth.first_over(d); od < depth.last_over(d); ++od) {
    for (int64_t oh = height.first_over(h); oh < height.last_over(h); ++oh) {
      for (int64_t ow = width.first_over(w); ow < width.last_over(w); ++ow) {
        const Acc divisor = product(divisor_of<Acc>(pooling, od, oh), divisors[ow]);
        const T* from = grad + ((od * height.output + oh) * width.output + ow) * channels;
        for (int64_t c = 0; c < channels; ++c) sum[c] += quotient(static_cast<Acc>(from[c]), divisor);
      }
    }
  }
}

template <class T>
void average_channels_backward(const Pooling& pooling, const T* grad, T* out) {
  using Acc = opmath_type<T>;
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  const int64_t channels = pooling.channels, places = pooling.input_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / channels);
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    const std::vector<Acc> divisors = width_divisors<Acc>(pooling);
    std::vector<Acc> sum(channels);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t w = i % width.input, h = i / width.input % height.input;
      const int64_t d = i / (width.input * height.input) % depth.input;
      std::fill(sum.begin(), sum.end(), Acc(0));
      add_windows_over(pooling, grad + i / places * pooling.output_size() * channels, d, h, w, divisors, sum);
      for (int64_t c = 0; c < channels; ++c) out[i * channels + c] = static_cast<T>(sum[c]);
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
