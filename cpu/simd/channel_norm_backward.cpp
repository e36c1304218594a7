// Gradients of normalised channels: first two sums of each channel, then every element.
#include <ATen/native/cpu/channel_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/moments.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 32768;  // elements

// -------------------- Sums

struct GradientSums {
  double sum = 0, product = 0;
};

template <class Acc>
C10_ALWAYS_INLINE void add_chunk(GradientSums& sums, const Acc* grad, const Acc* x, int64_t n, Acc mean) {
  constexpr int width = lanes<Acc>;
  Vec<Acc> sum[2] = {}, product[2] = {};
  int64_t j = 0;
  for (; j + 2 * width <= n; j += 2 * width) {
#pragma GCC unroll 2
    for (int c = 0; c < 2; ++c) {
      const Vec<Acc> g = load(grad + j + c * width);
      sum[c] += g;
      product[c] += g * (load(x + j + c * width) - mean);
    }
  }
  Acc rest = 0, rest_product = 0;
  for (; j < n; ++j) {
    rest += grad[j];
    rest_product += grad[j] * (x[j] - mean);
  }
  sums.sum += static_cast<double>(rest + sum_lanes<Acc>(sum[0] + sum[1]));
  sums.product += static_cast<double>(rest_product + sum_lanes<Acc>(product[0] + product[1]));
}

template <class T>
C10_ALWAYS_INLINE void add_row(GradientSums& sums, const T* grad, const T* x, int64_t n,
                               ufunc::opmath<T> mean) {
  using Acc = ufunc::opmath<T>;
  constexpr int64_t buffered = std::is_same_v<T, Acc> ? 1 : chunk_size;
  Acc grads[buffered], values[buffered];
  for (int64_t first = 0; first < n; first += chunk_size) {
    const int64_t size = std::min(chunk_size, n - first);
    add_chunk(sums, widened(grad + first, size, grads), widened(x + first, size, values), size, mean);
  }
}

template <class T>
void sums_of_rows(const T* grad, const T* x, const ChannelShape& shape, const double* mean, double* sum,
                  double* product) {
  const int64_t grain = std::max<int64_t>(1, work_per_task / shape.numbers_in_channel());
  at::parallel_for(0, shape.statistics(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t sample = k / shape.channels, channel = k % shape.channels;
      GradientSums sums;
      for (int64_t row = 0; row < shape.rows; ++row) {
        const int64_t offset = ((sample * shape.rows + row) * shape.channels + channel) * shape.inner;
        add_row(sums, grad + offset, x + offset, shape.inner, static_cast<ufunc::opmath<T>>(mean[k]));
      }
      sum[k] = sums.sum;
      product[k] = sums.product;
    }
  });
}

// Adds the sums of some rows; blocks of them have sums in their own precision.
template <class T>
void add_columns(const T* grad, const T* x, int64_t rows, int64_t columns, const double* means, double* sum,
                 double* product) {
  using Acc = ufunc::opmath<T>;
  const int64_t width = tile_width(columns), block = std::max<int64_t>(16, work_per_task / columns);
  const std::vector<Acc> mean_tile = tiled<Acc>(means, columns);
  const Acc* mean = mean_tile.data();
  std::vector<Acc> block_sums(width), block_products(width);
  std::vector<Acc> buffer(std::is_same_v<T, Acc> ? 0 : 2 * std::min(block, rows) * columns);
  for (int64_t first = 0; first < rows; first += block) {
    const int64_t n = std::min(block, rows - first) * columns;
    const Acc *g = widened(grad + first * columns, n, buffer.data()),
              *v = widened(x + first * columns, n, buffer.data() + buffer.size() / 2);
    std::fill(block_sums.begin(), block_sums.end(), Acc(0));
    std::fill(block_products.begin(), block_products.end(), Acc(0));
    add_tiles(block_sums.data(), n, width, [g](int64_t i, int64_t) { return g[i]; });
    add_tiles(block_products.data(), n, width,
              [g, v, mean](int64_t i, int64_t j) { return g[i] * (v[i] - mean[j]); });
    for (int64_t j = 0; j < width; ++j) {
      sum[j % columns] += static_cast<double>(block_sums[j]);
      product[j % columns] += static_cast<double>(block_products[j]);
    }
  }
}

template <class T>
void sums_of_columns(const T* grad, const T* x, const ChannelShape& shape, const double* mean, double* sum,
                     double* product) {
  const int64_t channels = shape.channels, rows = shape.rows;
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const int64_t pieces = std::clamp<int64_t>(rows * channels / work_per_task, 1,
                                             std::min(rows, at::divup(threads, shape.samples)));
  std::vector<double> parts(2 * shape.samples * pieces * channels);
  at::parallel_for(0, shape.samples * pieces, std::max<int64_t>(1, work_per_task / (rows * channels)),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t task = begin; task < end; ++task) {
                       const int64_t sample = task / pieces, piece = task % pieces;
                       const int64_t first = rows * piece / pieces, last = rows * (piece + 1) / pieces;
                       const int64_t offset = (sample * rows + first) * channels;
                       double* own = parts.data() + 2 * task * channels;
                       add_columns(grad + offset, x + offset, last - first, channels,
                                   mean + sample * channels, own, own + channels);
                     }
                   });
  std::fill(sum, sum + shape.statistics(), 0);
  std::fill(product, product + shape.statistics(), 0);
  for (int64_t task = 0; task < shape.samples * pieces; ++task) {
    const double* part = parts.data() + 2 * task * channels;
    for (int64_t j = 0; j < channels; ++j) {
      sum[task / pieces * channels + j] += part[j];
      product[task / pieces * channels + j] += part[channels + j];
    }
  }
}

void channel_gradient_sums(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                           const double* mean, double* sum, double* product) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_gradient_sums", [&] {
    const auto *g = grad.const_data_ptr<scalar_t>(), *v = x.const_data_ptr<scalar_t>();
    shape.inner == 1 ? sums_of_columns(g, v, shape, mean, sum, product)
                     : sums_of_rows(g, v, shape, mean, sum, product);
  });
}

// -------------------- Elements

template <class T>
void gradient_of_rows(const T* grad, const T* x, const ChannelShape& shape, const ChannelGradient& factors,
                      T* grad_x) {
  using Acc = ufunc::opmath<T>;
  const int64_t inner = shape.inner, sample = shape.rows * shape.channels;
  const int64_t grain = std::max<int64_t>(1, work_per_task / inner);
  at::parallel_for(0, shape.samples * sample, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t k = row / sample * shape.channels + row % shape.channels;
      const Acc mean = static_cast<Acc>(factors.mean[k]), by_grad = static_cast<Acc>(factors.by_grad[k]),
                by_x = static_cast<Acc>(factors.by_x[k]), shift = static_cast<Acc>(factors.shift[k]);
      const T* const inputs[2] = {grad + row * inner, x + row * inner};
      map_widened(inputs, grad_x + row * inner, inner,
                  [=](const Acc* const* in, Acc* out, int64_t size, int64_t) {
                    const Acc *g = in[0], *v = in[1];
#pragma GCC ivdep
                    for (int64_t j = 0; j < size; ++j) {
                      out[j] = g[j] * by_grad + ((v[j] - mean) * by_x + shift);
                    }
                  });
    }
  });
}

template <class T>
void gradient_of_columns(const T* grad, const T* x, int64_t rows, int64_t columns,
                         const ChannelGradient& factors, T* grad_x) {
  using Acc = ufunc::opmath<T>;
  const int64_t width = tile_width(columns);
  const std::vector<Acc> means = tiled<Acc>(factors.mean, columns),
                         by_grads = tiled<Acc>(factors.by_grad, columns),
                         by_xs = tiled<Acc>(factors.by_x, columns),
                         shifts = tiled<Acc>(factors.shift, columns);
  const int64_t grain = std::max<int64_t>(1, work_per_task / columns);
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    const Acc *mean = means.data(), *by_grad = by_grads.data(), *by_x = by_xs.data(), *shift = shifts.data();
    for (int64_t i = begin * columns; i < end * columns; i += width) {
      const int64_t size = std::min(width, end * columns - i);
      const T* const inputs[2] = {grad + i, x + i};
      map_widened(inputs, grad_x + i, size, [=](const Acc* const* in, Acc* out, int64_t n, int64_t first) {
        const Acc *g = in[0], *v = in[1];
#pragma GCC ivdep
        for (int64_t j = 0; j < n; ++j) {
          out[j] =
              g[j] * by_grad[first + j] + ((v[j] - mean[first + j]) * by_x[first + j] + shift[first + j]);
        }
      });
    }
  });
}

template <class T>
void gradient_of_samples(const T* grad, const T* x, const ChannelShape& shape, const ChannelGradient& factors,
                         T* grad_x) {
  const int64_t sample_size = shape.rows * shape.channels;
  const int64_t grain = std::max<int64_t>(1, work_per_task / sample_size);
  at::parallel_for(0, shape.samples, grain, [&](int64_t begin, int64_t end) {
    for (int64_t sample = begin; sample < end; ++sample) {
      const int64_t k = sample * shape.channels, offset = sample * sample_size;
      gradient_of_columns(grad + offset, x + offset, shape.rows, shape.channels,
                          {factors.mean + k, factors.by_grad + k, factors.by_x + k, factors.shift + k},
                          grad_x + offset);
    }
  });
}

void channel_gradient(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                      const ChannelGradient& factors, const TensorBase& grad_x) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_gradient", [&] {
    const auto *g = grad.const_data_ptr<scalar_t>(), *v = x.const_data_ptr<scalar_t>();
    auto* out = grad_x.mutable_data_ptr<scalar_t>();
    shape.inner == 1 ? gradient_of_samples(g, v, shape, factors, out)
                     : gradient_of_rows(g, v, shape, factors, out);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(channel_gradient_sums_stub, &channel_gradient_sums)
REGISTER_DISPATCH(channel_gradient_stub, &channel_gradient)

}  // namespace at::native
