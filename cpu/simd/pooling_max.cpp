// Max pooling: along a row of windows, or over channels side by side.
#include <ATen/native/cpu/PoolRow.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>

#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements of windows

// Values are compared as numbers of 4 or 8 bytes; positions are kept in as many.
template <class T>
using Compared =
    std::conditional_t<sizeof(T) == 8, T, std::conditional_t<std::is_integral_v<T>, int32_t, float>>;
template <class Acc>
using Position = std::conditional_t<sizeof(Acc) == 8, int64_t, int32_t>;

template <class Acc>
constexpr Acc lowest() {
  return std::is_integral_v<Acc> ? std::numeric_limits<Acc>::lowest() : -std::numeric_limits<Acc>::infinity();
}

// Of a vector or a number: takes it where it is larger, or a NaN.
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
  void store_to(T* values, int64_t* places, int64_t n) const {
    for (int64_t i = 0; i < n; ++i) values[i] = static_cast<T>(best[i]);
    for (int64_t i = 0; i < n; ++i) places[i] = at[i];
  }

  std::vector<Acc> best;
  std::vector<Position<Acc>> at;
};

// -------------------- Planes one behind the other

// One row of input for all windows of a row of output. `place`: that of the first window's first tap.
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

// The same where windows lie far apart, or are of several sizes.
template <class Acc, class T>
void take_windows(const T* row, const PoolAxis& width, Position<Acc> place, Maxima<Acc>& maxima) {
  for (int64_t o = 0; o < width.output; ++o) {
    Acc best = maxima.best[o];
    Position<Acc> at = maxima.at[o];
    for (int64_t w = width.begin(o), end = width.end(o); w < end; w += width.dilation) {
      take(static_cast<Acc>(row[w]), static_cast<Position<Acc>>(place + w), best, at);
    }
    maxima.best[o] = best;
    maxima.at[o] = at;
  }
}

template <class T>
class PlanesMax {
  using Acc = Compared<T>;
  using Index = Position<Acc>;

 public:
  explicit PlanesMax(const Pooling& pooling)
      : pooling_(pooling),
        width_(pooling.axes[2]),
        vectors_(PoolRow<Acc>::suits(width_)),
        row_(vectors_ ? width_ : PoolAxis{}, lowest<Acc>()),
        maxima_(width_.output),
        first_(width_.output) {
    for (int64_t o = 0; o < width_.output; ++o) first_[o] = static_cast<Index>(width_.begin(o));
  }

  // A row of windows.
  void row(const T* plane, int64_t od, int64_t oh, T* values, int64_t* places) {
    const PoolAxis &depth = pooling_.axes[0], &height = pooling_.axes[1];
    const Index start =
        static_cast<Index>((depth.begin(od) * height.input + height.begin(oh)) * width_.input);
    std::fill(maxima_.best.begin(), maxima_.best.end(), lowest<Acc>());
    for (int64_t o = 0; o < width_.output; ++o) maxima_.at[o] = start + first_[o];
    for (int64_t d = depth.begin(od); d < depth.end(od); d += depth.dilation) {
      for (int64_t h = height.begin(oh); h < height.end(oh); h += height.dilation) {
        take_from(plane, (d * height.input + h) * width_.input);
      }
    }
    maxima_.store_to(values, places, width_.output);
  }

 private:
  void take_from(const T* plane, int64_t place) {
    if (vectors_) {
      row_.set(plane + place);
      take_row(row_, width_, static_cast<Index>(place - width_.padding), maxima_);
    } else {
      take_windows(plane + place, width_, static_cast<Index>(place), maxima_);
    }
  }

  const Pooling& pooling_;
  const PoolAxis& width_;
  bool vectors_;
  PoolRow<Acc> row_;
  Maxima<Acc> maxima_;
  std::vector<Index> first_;
};

int64_t window_work(const Pooling& pooling) {
  return std::max<int64_t>(1, pooling.input_size() / std::max<int64_t>(1, pooling.output_size()));
}

template <class T>
void max_planes(const Pooling& pooling, const T* input, T* output, int64_t* indices) {
  const int64_t depth = pooling.axes[0].output, height = pooling.axes[1].output,
                width = pooling.axes[2].output;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (width * window_work(pooling)));
  at::parallel_for(0, pooling.planes() * depth * height, grain, [&](int64_t begin, int64_t end) {
    PlanesMax<T> kernel(pooling);
    for (int64_t row = begin; row < end; ++row) {
      const T* plane = input + row / (depth * height) * pooling.input_size();
      kernel.row(plane, row / height % depth, row % height, output + row * width, indices + row * width);
    }
  });
}

// -------------------- Channels last

template <class Acc, class T>
void take_channels(const T* image, const std::vector<int64_t>& places, int64_t channels, int64_t empty_place,
                   Maxima<Acc>& maxima) {
  using Index = Position<Acc>;
  const Index first = static_cast<Index>(empty_place);
  int64_t c = 0;
  for (; c + lanes<Acc> <= channels; c += lanes<Acc>) {
    Vec<Acc> best = Vec<Acc>{} + lowest<Acc>();
    Vec<Index> at = Vec<Index>{} + first;
    for (const int64_t place : places) {
      take(load_as<Acc>(image + place * channels + c), Vec<Index>{} + static_cast<Index>(place), best, at);
    }
    store(maxima.best.data() + c, best);
    store(maxima.at.data() + c, at);
  }
  for (; c < channels; ++c) {
    Acc best = lowest<Acc>();
    Index at = first;
    for (const int64_t place : places) {
      take(static_cast<Acc>(image[place * channels + c]), static_cast<Index>(place), best, at);
    }
    maxima.best[c] = best;
    maxima.at[c] = at;
  }
}

template <class T>
void max_channels(const Pooling& pooling, const T* input, T* output, int64_t* indices) {
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  const int64_t channels = pooling.channels, places = pooling.output_size();
  const int64_t grain = std::max<int64_t>(1, work_per_task / (channels * window_work(pooling)));
  at::parallel_for(0, pooling.batch * places, grain, [&](int64_t begin, int64_t end) {
    Maxima<Compared<T>> maxima(channels);
    WindowPlaces window;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ow = i % width.output, oh = i / width.output % height.output;
      const int64_t od = i / (width.output * height.output) % depth.output;
      const T* image = input + i / places * pooling.input_size() * channels;
      window.gather(pooling, od, oh, ow);
      const int64_t start =
          (depth.begin(od) * height.input + height.begin(oh)) * width.input + width.begin(ow);
      take_channels(image, window.places(), channels, start, maxima);
      maxima.store_to(output + i * channels, indices + i * channels, channels);
    }
  });
}

void max_pool_impl(const Pooling& pooling, const TensorBase& input, const TensorBase& output,
                   const TensorBase& indices) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "max_pool", [&] {
    const auto* from = input.const_data_ptr<scalar_t>();
    auto* to = output.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    if (pooling.channels_last) {
      max_channels(pooling, from, to, places);
    } else {
      max_planes(pooling, from, to, places);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(max_pool_stub, &max_pool_impl)

}  // namespace at::native
