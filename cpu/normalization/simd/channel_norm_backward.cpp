// Gradients of normalised channels: first two sums of each channel, then every element.
#include <ATen/native/cpu/normalization/channel_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/normalization/moments.h>
#include <ATen/native/cpu/transpose.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 32768;  // elements

// -------------------- Sums

struct GradientSums {
  double sum = 0, product = 0;
};

template <class T, class Acc = ufunc::opmath<T>>
C10_ALWAYS_INLINE void add_chunk(GradientSums& sums, const T* grad, const T* x, int64_t n, Acc mean) {
  constexpr int width = lanes<Acc>;
  Vec<Acc> sum[2] = {}, product[2] = {};
  int64_t j = 0;
  for (; j + 2 * width <= n; j += 2 * width) {
#pragma GCC unroll 2
    for (int c = 0; c < 2; ++c) {
      const Vec<Acc> g = load_as<Acc>(grad + j + c * width);
      sum[c] += g;
      product[c] += g * (load_as<Acc>(x + j + c * width) - mean);
    }
  }
  Acc rest = 0, rest_product = 0;
  for (; j < n; ++j) {
    const Acc g = static_cast<Acc>(grad[j]);
    rest += g;
    rest_product += g * (static_cast<Acc>(x[j]) - mean);
  }
  sums.sum += static_cast<double>(rest + sum_lanes<Acc>(sum[0] + sum[1]));
  sums.product += static_cast<double>(rest_product + sum_lanes<Acc>(product[0] + product[1]));
}

// The lanes of the sums of rows of n elements; the last vector of a row overlaps the one before. `Vectors` of
// them make a row; 0: any number.
template <int Vectors, class T, class Acc>
C10_ALWAYS_INLINE void add_row(const T* grad, const T* x, int64_t n, Acc about, Vec<Acc>& sum,
                               Vec<Acc>& product) {
  constexpr int64_t width = lanes<Acc>;
  const int64_t whole = Vectors > 0 ? Vectors * width : n / width * width;
  sum = product = Vec<Acc>{};
  if (Vectors == 0 && n != whole) {
    const Vec<Acc> g = load_as<Acc>(grad + n - width), rest = g * (load_as<Acc>(x + n - width) - about);
    sum = lanes_from<Acc>(g, width - (n - whole));
    product = lanes_from<Acc>(rest, width - (n - whole));
  }
  for (int64_t i = 0; i < whole; i += width) {
    const Vec<Acc> g = load_as<Acc>(grad + i);
    sum += g;
    product += g * (load_as<Acc>(x + i) - about);
  }
}

// For channels that are rows of n elements, as many as a vector has lanes, or fewer; n not below that.
template <class T>
void sums_of_short_rows(const T* grad, const T* x, int64_t count, int64_t n, const double* mean, double* sum,
                        double* product) {
  using Acc = ufunc::opmath<T>;
  constexpr int64_t width = lanes<Acc>;
  Vec<Acc> sums[width],
      products[width];  // initialised row by row: clearing all of them first takes as long as the sums
  for (int64_t c = count; c < width; ++c) sums[c] = products[c] = Vec<Acc>{};
  const auto add_rows = [&](auto vectors, int64_t rows) {
#pragma GCC unroll 16
    for (int64_t c = 0; c < rows; ++c) {
      add_row<vectors.value>(grad + c * n, x + c * n, n, static_cast<Acc>(mean[c]), sums[c], products[c]);
    }
  };
  if (n == width && count == width) {
    add_rows(std::integral_constant<int, 1>(), width);
  } else {
    add_rows(std::integral_constant<int, 0>(), count);
  }
  Acc of_channels[2][width];
  store<Acc>(of_channels[0], sum_lines<Acc>(sums));
  store<Acc>(of_channels[1], sum_lines<Acc>(products));
  for (int64_t c = 0; c < count; ++c) {
    sum[c] = static_cast<double>(of_channels[0][c]);
    product[c] = static_cast<double>(of_channels[1][c]);
  }
}

template <class T>
void sums_of_rows(const T* grad, const T* x, const ChannelShape& shape, const double* mean, double* sum,
                  double* product) {
  constexpr int64_t together = lanes<ufunc::opmath<T>>, longest_short_row = 256;
  const int64_t grain = std::max<int64_t>(1, work_per_task / shape.elements_per_channel()),
                size = shape.inner;
  const bool are_short = shape.rows == 1 && size >= together && size <= longest_short_row;
  at::parallel_for(0, shape.statistics(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; are_short && k < end; k += together) {
      sums_of_short_rows(grad + k * size, x + k * size, std::min(together, end - k), size, mean + k, sum + k,
                         product + k);
    }
    if (are_short) return;
    for (int64_t k = begin; k < end; ++k) {
      const int64_t sample = k / shape.channels, channel = k % shape.channels;
      const int64_t offset = (sample * shape.rows * shape.channels + channel) * shape.inner;
      const T* const rows[2] = {grad + offset, x + offset};
      const auto about = static_cast<ufunc::opmath<T>>(mean[k]);
      GradientSums sums;
      for_chunks(rows, shape.rows, shape.channels * shape.inner, shape.inner,
                 [&](const T* const* chunk, int64_t n) { add_chunk(sums, chunk[0], chunk[1], n, about); });
      sum[k] = sums.sum;
      product[k] = sums.product;
    }
  });
}

// Adds the sums of some rows; blocks of them are summed in their own precision.
template <class T>
void add_columns(const T* grad, const T* x, int64_t rows, int64_t columns, const double* means, double* sum,
                 double* product) {
  using Acc = ufunc::opmath<T>;
  const int64_t width = tile_width(columns), block = std::max<int64_t>(16, work_per_task / columns);
  const std::vector<Acc> mean = tiled<Acc>(means, columns);
  std::vector<Acc> block_sums(width), block_products(width);
  for (int64_t first = 0; first < rows; first += block) {
    const int64_t n = std::min(block, rows - first) * columns;
    const T *g = grad + first * columns, *v = x + first * columns;
    std::fill(block_sums.begin(), block_sums.end(), Acc(0));
    std::fill(block_products.begin(), block_products.end(), Acc(0));
    add_tiles<Acc>(block_sums.data(), n, width, mean.data(), [](auto, auto grads) { return grads; }, g);
    const auto product_of = [](auto about, auto grads, auto values) { return grads * (values - about); };
    add_tiles<Acc>(block_products.data(), n, width, mean.data(), product_of, g, v);
    fold_tile(block_sums.data(), columns, width);
    fold_tile(block_products.data(), columns, width);
    for (int64_t j = 0; j < columns; ++j) {
      sum[j] += static_cast<double>(block_sums[j]);
      product[j] += static_cast<double>(block_products[j]);
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
      const int64_t k = shape.rows == 1 ? row : row / sample * shape.channels + row % shape.channels;
      const Acc mean = static_cast<Acc>(factors.mean[k]), by_grad = static_cast<Acc>(factors.by_grad[k]),
                by_x = static_cast<Acc>(factors.by_x[k]), shift = static_cast<Acc>(factors.shift[k]);
      map_row<Acc>(
          grad_x + row * inner, inner,
          [=](auto g, auto value) { return g * by_grad + ((value - mean) * by_x + shift); },
          grad + row * inner, x + row * inner);
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
    const auto gradient = [](auto g, auto value, auto about, auto by_grad, auto by_x, auto shift) {
      return g * by_grad + ((value - about) * by_x + shift);
    };
    for (int64_t i = begin * columns; i < end * columns; i += width) {
      map_row<Acc>(grad_x + i, std::min(width, end * columns - i), gradient, grad + i, x + i, means.data(),
                   by_grads.data(), by_xs.data(), shifts.data());
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
