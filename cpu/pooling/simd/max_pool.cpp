// Max pooling: along a row of windows, within large windows, or over neighbouring channels.
#include <ATen/native/cpu/pooling/row.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/math/limits.h>

#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements of windows

// Values are compared in 4 or 8 bytes; positions have the same size.
template <class T>
using Compared =
    std::conditional_t<sizeof(T) == 8, T, std::conditional_t<std::is_integral_v<T>, int32_t, float>>;
template <class Acc>
using Position = std::conditional_t<sizeof(Acc) == 8, int64_t, int32_t>;

// The lowest value of T, which is the result of an empty window.
template <class T>
constexpr Compared<T> lowest() {
  return static_cast<Compared<T>>(lower_bound<T>());
}

// Updates a vector or scalar where the new value is larger, or NaN.
template <class V, class I>
C10_ALWAYS_INLINE void take(V value, I place, V& best, I& at) {
  const auto larger = (value > best) | (value != value);
  best = larger ? value : best;
  at = larger ? place : at;
}

template <class Acc>
struct Maxima {
  explicit Maxima(int64_t n) : best(whole_vectors<Acc>(n)), at(best.size()) {}

  template <class T>
  void store_to(T* C10_RESTRICT values, int64_t* C10_RESTRICT places, int64_t n) const {
    const Position<Acc>* found = at.data();
    convert(best.data(), values, n);
    for (int64_t i = 0; i < n; ++i) places[i] = found[i];
  }

  std::vector<Acc> best;
  std::vector<Position<Acc>> at;
};

// -------------------- Rows of windows

// One row of input for all windows of a row of output. `place`: the position of the first window's first tap.
template <class Acc>
void take_row(const PoolRow<Acc>& row, const PoolAxis& width, Position<Acc> place, Maxima<Acc>& maxima) {
  using Index = Position<Acc>;
  Vec<Index> steps;
  for (int lane = 0; lane < lanes<Acc>; ++lane) steps[lane] = static_cast<Index>(lane * width.stride);
  const Acc* const* taps = row.taps().data();
  const int64_t kernel = width.kernel;
  const Index dilation = static_cast<Index>(width.dilation);
  for (int64_t j = 0; j < width.output; j += lanes<Acc>) {
    Vec<Acc> best = load(maxima.best.data() + j);
    Vec<Index> at = load(maxima.at.data() + j);
    Vec<Index> places = steps + (place + static_cast<Index>(j * width.stride));
    for (int64_t t = 0; t < kernel; ++t) {
      take(load(taps[t] + j), places, best, at);
      places += dilation;
    }
    store(maxima.best.data() + j, best);
    store(maxima.at.data() + j, at);
  }
}

template <class T>
class RowsMax {
  using Acc = Compared<T>;
  using Index = Position<Acc>;

 public:
  RowsMax(const Pooling& pooling, const PoolWindows& windows)
      : width_(pooling.axes[2]), windows_(windows), row_(width_, lowest<T>()), maxima_(width_.output) {}

  void row(const T* plane, int64_t od, int64_t oh, T* values, int64_t* places) {
    const int64_t height = windows_.height.input;
    const int64_t start = (windows_.depth[od].begin * height + windows_.height[oh].begin) * width_.input;
    std::fill(maxima_.best.begin(), maxima_.best.end(), lowest<T>());
    for (int64_t o = 0; o < width_.output; ++o) {
      maxima_.at[o] = static_cast<Index>(start + windows_.width[o].begin);
    }
    windows_.for_each_row(od, oh, [&](int64_t d, int64_t h) {
      const int64_t place = (d * height + h) * width_.input;
      row_.set(plane + place);
      take_row(row_, width_, static_cast<Index>(place - width_.padding), maxima_);
    });
    maxima_.store_to(values, places, width_.output);
  }

 private:
  const PoolAxis& width_;
  const PoolWindows& windows_;
  PoolRow<Acc> row_;
  Maxima<Acc> maxima_;
};

// -------------------- Windows far apart, or of different sizes

template <class T>
class WindowsMax {
  using Acc = Compared<T>;
  using Index = Position<Acc>;

 public:
  WindowsMax(const Pooling&, const PoolWindows& windows) : windows_(windows) {}

  void row(const T* plane, int64_t od, int64_t oh, T* values, int64_t* places) {
    const int64_t height = windows_.height.input, width = windows_.width.input;
    const int64_t start = (windows_.depth[od].begin * height + windows_.height[oh].begin) * width;
    for (int64_t o = 0; o < windows_.width.output; ++o) {
      const auto& window = windows_.width[o];
      best_ = lowest<T>();
      at_ = static_cast<Index>(start + window.begin);
      const bool vectors = window.step == 1 && window.end - window.begin >= lanes<Acc>;
      Vec<Acc> best = Vec<Acc>{} + best_;
      Vec<Index> at = Vec<Index>{} + at_;
      windows_.for_each_row(od, oh, [&](int64_t d, int64_t h) {
        const int64_t row = (d * height + h) * width;
        int64_t w = window.begin;
        for (; vectors && w + lanes<Acc> <= window.end; w += lanes<Acc>) {
          take(load_as<Acc>(plane + row + w), steps_ + static_cast<Index>(row + w), best, at);
        }
        for (; w < window.end; w += window.step) {
          take(load_one<Acc>(plane + row + w), static_cast<Index>(row + w), best_, at_);
        }
      });
      if (vectors) take_lanes(best, at);
      store_one(values + o, best_);
      places[o] = at_;
    }
  }

 private:
  static Vec<Index> lane_numbers() {
    Vec<Index> numbers;
    for (int lane = 0; lane < lanes<Acc>; ++lane) numbers[lane] = lane;
    return numbers;
  }

  // Each lane has visited positions of its own: the first of the maxima is wanted, the last of NaNs.
  void take_lanes(Vec<Acc> best, Vec<Index> at) {
    for (int lane = 0; lane < lanes<Acc>; ++lane) {
      const Acc value = best[lane];
      const bool nan = value != value, nan_before = best_ != best_;
      const bool taken = nan ? !nan_before || at[lane] > at_
                             : !nan_before && (value > best_ || (value == best_ && at[lane] < at_));
      if (taken) {
        best_ = value;
        at_ = at[lane];
      }
    }
  }

  const PoolWindows& windows_;
  const Vec<Index> steps_ = lane_numbers();
  Acc best_{};
  Index at_{};
};

template <class Kernel, class T>
void max_planes(const Pooling& pooling, const T* input, T* output, int64_t* indices) {
  const PoolWindows windows(pooling);
  const int64_t depth = windows.depth.output, height = windows.height.output, width = windows.width.output;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (width * window_work(pooling)));
  at::parallel_for(0, pooling.planes() * depth * height, grain, [&](int64_t begin, int64_t end) {
    Kernel kernel(pooling, windows);
    for (int64_t row = begin; row < end; ++row) {
      const T* plane = input + row / (depth * height) * pooling.input_size();
      kernel.row(plane, row / height % depth, row % height, output + row * width, indices + row * width);
    }
  });
}

// -------------------- Channels last

// take_channels() for `n` vectors from channel c.
template <int n, class T, class Acc>
C10_ALWAYS_INLINE void take_vectors(const T* image, const std::vector<int64_t>& places, int64_t channels,
                                    Position<Acc> first, int64_t c, Maxima<Acc>& maxima) {
  using Index = Position<Acc>;
  Vec<Acc> best[n];
  Vec<Index> at[n];
#pragma GCC unroll 2
  for (int k = 0; k < n; ++k) {
    best[k] = Vec<Acc>{} + lowest<T>();
    at[k] = Vec<Index>{} + first;
  }
  for (const int64_t place : places) {
    const Vec<Index> where = Vec<Index>{} + static_cast<Index>(place);
#pragma GCC unroll 2
    for (int k = 0; k < n; ++k) {
      take(load_as<Acc>(image + place * channels + c + k * lanes<Acc>), where, best[k], at[k]);
    }
  }
#pragma GCC unroll 2
  for (int k = 0; k < n; ++k) {
    store(maxima.best.data() + c + k * lanes<Acc>, best[k]);
    store(maxima.at.data() + c + k * lanes<Acc>, at[k]);
  }
}

// The maxima of neighbouring channels over some positions; `empty_place`: the index for no position.
template <class T, class Acc>
void take_channels(const T* image, const std::vector<int64_t>& places, int64_t channels, int64_t empty_place,
                   Maxima<Acc>& maxima) {
  using Index = Position<Acc>;
  const Index first = static_cast<Index>(empty_place);
  constexpr int64_t width = lanes<Acc>;
  int64_t c = 0;
  for (; c + 2 * width <= channels; c += 2 * width) {
    take_vectors<2>(image, places, channels, first, c, maxima);
  }
  for (; c + width <= channels; c += width) take_vectors<1>(image, places, channels, first, c, maxima);
  for (; c < channels; ++c) {
    Acc best = lowest<T>();
    Index at = first;
    for (const int64_t place : places) {
      take(load_one<Acc>(image + place * channels + c), static_cast<Index>(place), best, at);
    }
    maxima.best[c] = best;
    maxima.at[c] = at;
  }
}

template <class T>
void max_channels(const Pooling& pooling, const T* input, T* output, int64_t* indices) {
  const PoolWindows windows(pooling);
  const int64_t height = windows.height.output, width = windows.width.output;
  const int64_t channels = pooling.channels, places = pooling.output_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / (channels * window_work(pooling)));
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    Maxima<Compared<T>> maxima(channels);
    std::vector<int64_t> window;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ow = i % width, oh = i / width % height, od = i / (width * height) % windows.depth.output;
      const auto& columns = windows.width[ow];
      const auto place = [&](int64_t d, int64_t h, int64_t w) {
        return (d * windows.height.input + h) * windows.width.input + w;
      };
      window.clear();
      windows.for_each_row(od, oh, [&](int64_t d, int64_t h) {
        for (int64_t w = columns.begin; w < columns.end; w += columns.step) window.push_back(place(d, h, w));
      });
      const int64_t start = place(windows.depth[od].begin, windows.height[oh].begin, columns.begin);
      take_channels(input + i / places * pooling.input_size() * channels, window, channels, start, maxima);
      maxima.store_to(output + i * channels, indices + i * channels, channels);
    }
  });
}

// Windows of whole planes are windows of one row.
Pooling with_long_rows(Pooling pooling) {
  PoolAxis &height = pooling.axes[1], &width = pooling.axes[2];
  const auto covers = [](const PoolAxis& axis) {
    return axis.output == 1 && axis.begin(0) == 0 && axis.end(0) == axis.input && axis.dilation == 1;
  };
  if (covers(height) && covers(width)) {
    const int64_t elements = height.input * width.input;
    height = {};
    width = {};
    width.input = width.kernel = width.stride = elements;
  }
  return pooling;
}

void max_pool_impl(const Pooling& given, const TensorBase& input, const TensorBase& output,
                   const TensorBase& indices) {
  const Pooling pooling = with_long_rows(given);
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "max_pool", [&] {
    const auto* from = input.const_data_ptr<scalar_t>();
    auto* to = output.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    if (pooling.channels_last) {
      max_channels(pooling, from, to, places);
    } else if (PoolRow<Compared<scalar_t>>::suits(pooling.axes[2])) {
      max_planes<RowsMax<scalar_t>>(pooling, from, to, places);
    } else {
      max_planes<WindowsMax<scalar_t>>(pooling, from, to, places);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(max_pool_stub, &max_pool_impl)

}  // namespace at::native
