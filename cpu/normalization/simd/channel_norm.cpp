// Statistics of channels, and their affine transformation: row by row where a channel is contiguous,
// neighbouring channels together where they are the last dimension.
#include <ATen/native/cpu/normalization/channel_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/normalization/moments.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 32768;  // elements

// -------------------- Moments

template <class T>
void moments_of_rows(const T* x, const ChannelShape& shape, double* mean, double* squares) {
  const int64_t grain = std::max<int64_t>(1, work_per_task / shape.elements_per_channel());
  at::parallel_for(0, shape.statistics(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t sample = k / shape.channels, channel = k % shape.channels;
      const T* const rows[1] = {x + (sample * shape.rows * shape.channels + channel) * shape.inner};
      Moments moments;
      for_chunks(rows, shape.rows, shape.channels * shape.inner, shape.inner,
                 [&moments](const T* const* chunk, int64_t n) { merge_chunk(moments, chunk[0], n); });
      mean[k] = moments.mean;
      squares[k] = moments.squares;
    }
  });
}

// The moments of columns, given blocks of rows one after the other.
template <class T>
class ColumnMoments {
 public:
  ColumnMoments(int64_t columns, double* mean, double* squares)
      : columns_(columns),
        width_(tile_width(columns)),
        mean_(mean),
        squares_(squares),
        block_mean_(width_),
        block_squares_(width_) {
    std::fill(mean, mean + columns, 0);
    std::fill(squares, squares + columns, 0);
  }

  void add(const T* x, int64_t rows) {
    const int64_t block = std::max<int64_t>(16, work_per_task / columns_);
    for (int64_t first = 0; first < rows; first += block) {
      const int64_t size = std::min(block, rows - first);
      read_block(x + first * columns_, size);
      merge(static_cast<double>(size), block_mean_.data(), block_squares_.data());
    }
  }

  template <class Value>
  void merge(double n, const Value* means, const Value* squares) {
    const double part = n / (count_ + n), weight = part * count_;
    double *mean = mean_, *sum = squares_;
#pragma GCC ivdep
    for (int64_t j = 0; j < columns_; ++j) {
      const double step = static_cast<double>(means[j]) - mean[j];
      mean[j] += step * part;
      sum[j] += static_cast<double>(squares[j]) + step * step * weight;
    }
    count_ += n;
  }

 private:
  using Acc = ufunc::opmath<T>;

  void read_block(const T* x, int64_t rows) {
    const int64_t n = rows * columns_;
    Acc *mean = block_mean_.data(), *squares = block_squares_.data();
    std::fill(mean, mean + width_, Acc(0));
    std::fill(squares, squares + width_, Acc(0));
    add_tiles<Acc>(mean, n, width_, squares, [](auto, auto value) { return value; }, x);
    fold_tile(mean, columns_, width_);
    for (int64_t j = 0; j < columns_; ++j) mean[j] /= static_cast<Acc>(rows);
    repeat_in_tile(mean, columns_, width_);
    const auto square = [](auto about, auto value) { return (value - about) * (value - about); };
    add_tiles<Acc>(squares, n, width_, mean, square, x);
    fold_tile(squares, columns_, width_);
  }

  int64_t columns_, width_;
  double count_ = 0;
  double *mean_, *squares_;
  std::vector<Acc> block_mean_, block_squares_;
};

// The rows of a sample are split into pieces, whose moments are merged in order.
template <class T>
void moments_of_columns(const T* x, const ChannelShape& shape, double* mean, double* squares) {
  const int64_t channels = shape.channels, rows = shape.rows;
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const int64_t pieces = std::clamp<int64_t>(rows * channels / work_per_task, 1,
                                             std::min(rows, at::divup(threads, shape.samples)));
  std::vector<double> parts(pieces == 1 ? 0 : 2 * shape.samples * pieces * channels);
  const auto means_of = [&](int64_t task) { return parts.data() + 2 * task * channels; };
  const auto first_row = [&](int64_t piece) { return rows * piece / pieces; };
  at::parallel_for(0, shape.samples * pieces, std::max<int64_t>(1, work_per_task / (rows * channels)),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t task = begin; task < end; ++task) {
                       const int64_t sample = task / pieces, piece = task % pieces;
                       const bool whole = pieces == 1;
                       ColumnMoments<T> moments(
                           channels, whole ? mean + task * channels : means_of(task),
                           whole ? squares + task * channels : means_of(task) + channels);
                       moments.add(x + (sample * rows + first_row(piece)) * channels,
                                   first_row(piece + 1) - first_row(piece));
                     }
                   });
  for (int64_t sample = 0; sample < shape.samples && pieces > 1; ++sample) {
    ColumnMoments<T> all(channels, mean + sample * channels, squares + sample * channels);
    for (int64_t piece = 0; piece < pieces; ++piece) {
      const double* part = means_of(sample * pieces + piece);
      all.merge(static_cast<double>(first_row(piece + 1) - first_row(piece)), part, part + channels);
    }
  }
}

void channel_moments(const TensorBase& x, const ChannelShape& shape, double* mean, double* squares) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_moments", [&] {
    const auto* data = x.const_data_ptr<scalar_t>();
    shape.inner == 1 ? moments_of_columns(data, shape, mean, squares)
                     : moments_of_rows(data, shape, mean, squares);
  });
}

// -------------------- Scaling

template <class T>
void scale_rows(const T* x, const ChannelShape& shape, const ChannelScaling& scaling, T* y) {
  using Acc = ufunc::opmath<T>;
  const int64_t inner = shape.inner, sample = shape.rows * shape.channels;
  const int64_t grain = std::max<int64_t>(1, work_per_task / inner);
  at::parallel_for(0, shape.samples * sample, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t k = row / sample * shape.channels + row % shape.channels;
      const Acc mean = static_cast<Acc>(scaling.mean[k]), scale = static_cast<Acc>(scaling.scale[k]),
                shift = static_cast<Acc>(scaling.shift[k]);
      map_row<Acc>(
          y + row * inner, inner, [=](auto value) { return (value - mean) * scale + shift; },
          x + row * inner);
    }
  });
}

template <class T>
void scale_columns(const T* x, int64_t rows, int64_t columns, const ChannelScaling& scaling, T* y) {
  using Acc = ufunc::opmath<T>;
  const int64_t width = tile_width(columns);
  const std::vector<Acc> means = tiled<Acc>(scaling.mean, columns),
                         scales = tiled<Acc>(scaling.scale, columns),
                         shifts = tiled<Acc>(scaling.shift, columns);
  const int64_t grain = std::max<int64_t>(1, work_per_task / columns);
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    const auto scale = [](auto value, auto about, auto by, auto shift) {
      return (value - about) * by + shift;
    };
    for (int64_t i = begin * columns; i < end * columns; i += width) {
      map_row<Acc>(y + i, std::min(width, end * columns - i), scale, x + i, means.data(), scales.data(),
                   shifts.data());
    }
  });
}

template <class T>
void scale_samples(const T* x, const ChannelShape& shape, const ChannelScaling& scaling, T* y) {
  const int64_t sample_size = shape.rows * shape.channels;
  const int64_t grain = std::max<int64_t>(1, work_per_task / sample_size);
  at::parallel_for(0, shape.samples, grain, [&](int64_t begin, int64_t end) {
    for (int64_t sample = begin; sample < end; ++sample) {
      const int64_t k = sample * shape.channels;
      scale_columns(x + sample * sample_size, shape.rows, shape.channels,
                    {scaling.mean + k, scaling.scale + k, scaling.shift + k}, y + sample * sample_size);
    }
  });
}

void scale_channels(const TensorBase& x, const ChannelShape& shape, const ChannelScaling& scaling,
                    const TensorBase& y) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "scale_channels", [&] {
    const auto* in = x.const_data_ptr<scalar_t>();
    auto* out = y.mutable_data_ptr<scalar_t>();
    shape.inner == 1 ? scale_samples(in, shape, scaling, out) : scale_rows(in, shape, scaling, out);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(channel_moments_stub, &channel_moments)
REGISTER_DISPATCH(scale_channels_stub, &scale_channels)

}  // namespace at::native
