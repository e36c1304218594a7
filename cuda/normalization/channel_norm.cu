// Batch and group normalisation: a block for each channel's statistics and sums, or for a few channels that
// lie side by side; a thread for each element.
#include <ATen/native/cuda/normalization/channel_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

namespace at::native {
namespace channel_norm_kernels {

constexpr int threads = 256;

// How many statistics a block has: in channels last, those of 32 bytes, which are read at once.
template <class T>
int columns_of(const ChannelShape& shape) {
  constexpr int together = 32 / sizeof(T);
  return shape.inner == 1 && shape.channels >= together ? together : 1;
}

// Calls f(k) for the statistics of this block's columns. Threads for which there is none go with the others.
template <class F>
__device__ void for_statistics(const ChannelShape& shape, int columns, const F& f) {
  for (int64_t first = int64_t{blockIdx.x} * columns; first < shape.statistics();
       first += int64_t{gridDim.x} * columns) {
    f(first + threadIdx.x % columns);
  }
}

// Calls f(offset) for this thread's elements of statistic k.
template <class F>
__device__ void for_numbers(const ChannelShape& shape, int columns, int64_t k, const F& f) {
  if (k >= shape.statistics()) return;
  const int64_t first = k / shape.channels * shape.rows * shape.channels + k % shape.channels;
  for (int64_t i = threadIdx.x / columns; i < shape.elements_per_channel(); i += threads / columns) {
    f((first + i / shape.inner * shape.channels) * shape.inner + i % shape.inner);
  }
}

__device__ inline int64_t statistic_of(const ChannelShape& shape, int64_t offset) {
  const int64_t channel = offset / shape.inner;
  return channel / (shape.rows * shape.channels) * shape.channels + channel % shape.channels;
}

// Whether vectors of the tensors lie within channels.
template <class... T>
bool has_vectors(const ChannelShape& shape, const T*... data) {
  constexpr int size = row_vector_size<T...>;
  return shape.inner % size == 0 && (is_row_aligned<T, size>(data) && ...);
}

// y = f(k)(in...) for each element of statistic k; f(k) is called once for a vector.
template <class T, class F, class... In>
__device__ void for_elements(const ChannelShape& shape, int64_t n, bool by_vectors, T* y, const F& f,
                             const In*... in) {
  constexpr int size = row_vector_size<T>;
  using Vector = RowVector<T, size>;
  const int width = by_vectors ? size : 1;
  const int64_t step = int64_t{gridDim.x} * threads * width;
  for (int64_t i = (int64_t{blockIdx.x} * threads + threadIdx.x) * width; i < n; i += step) {
    const auto element = f(statistic_of(shape, i));
    if (by_vectors) {
      const auto all = [&](const auto&... loaded) {
        Vector result;
#pragma unroll
        for (int j = 0; j < size; ++j) result.v[j] = static_cast<T>(element(loaded.v[j]...));
        return result;
      };
      *reinterpret_cast<Vector*>(y + i) = all(Vector(*reinterpret_cast<const Vector*>(in + i))...);
    } else {
      y[i] = static_cast<T>(element(in[i]...));
    }
  }
}

template <class T>
unsigned element_blocks(int64_t n, bool by_vectors) {
  return blocks_for(by_vectors ? n / row_vector_size<T> : n);
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    moments_kernel(const T* x, ChannelShape shape, int columns, A* mean_out, A* var_out) {
  __shared__ A shared[threads];
  const A n = static_cast<A>(shape.elements_per_channel());
  for_statistics(shape, columns, [&](int64_t k) {
    A sum = A(0), squares = A(0);
    for_numbers(shape, columns, k, [&](int64_t i) { sum += static_cast<A>(x[i]); });
    const A mean = sum_block(sum, shared, columns) / n;
    for_numbers(shape, columns, k, [&](int64_t i) {
      const A centred = static_cast<A>(x[i]) - mean;
      squares += centred * centred;
    });
    squares = sum_block(squares, shared, columns);
    if (threadIdx.x < columns && k < shape.statistics()) {
      mean_out[k] = mean;
      var_out[k] = squares / n;
    }
  });
}

template <class A>
struct Running {
  A *mean, *var;
  A kept, momentum, unbiased;
};

template <class A>
__global__ void __launch_bounds__(threads)
    factors_kernel(int64_t n, int64_t together, const A* mean, const A* var, int64_t channels,
                   const A* weight, const A* bias, A eps, Running<A> running, A* invstd_out, A* mean_out,
                   A* scale_out, A* shift_out) {
  const int64_t k = int64_t{blockIdx.x} * threads + threadIdx.x;
  if (k >= n) return;
  const int64_t statistic = k / together, channel = k % channels;
  const A invstd = A(1) / ::sqrt(var[statistic] + eps);
  if (k % together == 0) invstd_out[statistic] = invstd;
  if (mean_out != nullptr) mean_out[k] = mean[statistic];
  scale_out[k] = weight != nullptr ? invstd * weight[channel] : invstd;
  shift_out[k] = bias != nullptr ? bias[channel] : A(0);
  if (running.mean == nullptr) return;
  running.mean[k] = running.kept * running.mean[k] + running.momentum * mean[k];
  running.var[k] = running.kept * running.var[k] + running.momentum * (running.unbiased * var[k]);
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    scale_kernel(const T* x, ChannelShape shape, int64_t n, bool by_vectors, const A* mean, const A* scale,
                 const A* shift, T* y) {
  const auto of_channel = [=](int64_t k) {
    return [centre = mean[k], by = scale[k], plus = shift[k]](T value) {
      return (static_cast<A>(value) - centre) * by + plus;
    };
  };
  for_elements(shape, n, by_vectors, y, of_channel, x);
}

// The same with factors that each thread computes: a launch less.
template <class T, class A>
__global__ void __launch_bounds__(threads)
    evaluation_kernel(const T* x, ChannelShape shape, int64_t n, bool by_vectors, const A* mean, const A* var,
                      const A* weight, const A* bias, A eps, T* y) {
  const auto of_channel = [=](int64_t k) {
    const A invstd = A(1) / ::sqrt(var[k] + eps);
    return [centre = mean[k], by = weight != nullptr ? invstd * weight[k] : invstd,
            plus = bias != nullptr ? bias[k] : A(0)](T value) {
      return (static_cast<A>(value) - centre) * by + plus;
    };
  };
  for_elements(shape, n, by_vectors, y, of_channel, x);
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    sums_kernel(const T* grad, const T* x, ChannelShape shape, int columns, const A* mean, int64_t together,
                A* sum_out, A* product_out) {
  __shared__ A shared[threads];
  for_statistics(shape, columns, [&](int64_t k) {
    A sum = A(0), product = A(0);
    const A centre = k < shape.statistics() ? mean[k / together] : A(0);
    for_numbers(shape, columns, k, [&](int64_t i) {
      const A g = static_cast<A>(grad[i]);
      sum += g;
      product += g * (static_cast<A>(x[i]) - centre);
    });
    sum = sum_block(sum, shared, columns);
    product = sum_block(product, shared, columns);
    if (threadIdx.x < columns && k < shape.statistics()) {
      sum_out[k] = sum;
      product_out[k] = product;
    }
  });
}

template <class A>
__global__ void __launch_bounds__(threads)
    gradient_factors_kernel(int64_t channels, A n, const A* sum, const A* product, const A* invstd,
                            const A* weight, A* by_grad, A* by_x, A* shift, A* by_weight) {
  const int64_t k = int64_t{blockIdx.x} * threads + threadIdx.x;
  if (k >= channels) return;
  const A scale = weight != nullptr ? invstd[k] * weight[k] : invstd[k];
  by_grad[k] = scale;
  by_weight[k] = product[k] * invstd[k];
  if (by_x == nullptr) return;
  by_x[k] = -(scale * invstd[k] * invstd[k] * product[k]) / n;
  shift[k] = -(scale * sum[k]) / n;
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    gradient_kernel(const T* grad, const T* x, ChannelShape shape, int64_t n, bool by_vectors, const A* mean,
                    const A* by_grad, const A* by_x, const A* shift, T* grad_x) {
  if (by_x == nullptr) {
    const auto of_channel = [=](int64_t k) {
      return [factor = by_grad[k]](T g) { return static_cast<A>(g) * factor; };
    };
    for_elements(shape, n, by_vectors, grad_x, of_channel, grad);
    return;
  }
  const auto of_channel = [=](int64_t k) {
    return [factor = by_grad[k], centre = mean[k], slope = by_x[k], plus = shift[k]](T g, T value) {
      return static_cast<A>(g) * factor + ((static_cast<A>(value) - centre) * slope + plus);
    };
  };
  for_elements(shape, n, by_vectors, grad_x, of_channel, grad, x);
}

}  // namespace channel_norm_kernels

void channel_moments_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                               const TensorBase& var) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_moments_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const int columns = columns_of<scalar_t>(shape);
    const unsigned blocks = blocks_for(shape.statistics(), columns);
    moments_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.const_data_ptr<scalar_t>(), shape, columns, mean.mutable_data_ptr<A>(), var.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void channel_factors_on_device(const TensorBase& mean, const TensorBase& var, int64_t together,
                               const TensorBase& weight, const TensorBase& bias, double eps,
                               const RunningStatistics& running, const ChannelFactors& factors) {
  using namespace channel_norm_kernels;
  const int64_t n = factors.scale.numel(), channels = factors.scale.sizes().back();
  if (n == 0) return;
  AT_DISPATCH_FLOATING_TYPES(var.scalar_type(), "channel_factors_cuda", [&] {
    using A = scalar_t;
    const Running<A> after{mutable_data_or_null<A>(running.mean), mutable_data_or_null<A>(running.var),
                           static_cast<A>(1 - running.momentum), static_cast<A>(running.momentum),
                           static_cast<A>(running.unbiased)};
    const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
    factors_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        n, together, mean.const_data_ptr<A>(), var.const_data_ptr<A>(), channels, data_or_null<A>(weight),
        data_or_null<A>(bias), static_cast<A>(eps), after, factors.invstd.mutable_data_ptr<A>(),
        mutable_data_or_null<A>(factors.mean), factors.scale.mutable_data_ptr<A>(),
        factors.shift.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void scale_channels_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                              const TensorBase& scale, const TensorBase& shift, const TensorBase& y) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "scale_channels_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const auto* in = x.const_data_ptr<scalar_t>();
    auto* out = y.mutable_data_ptr<scalar_t>();
    const bool by_vectors = has_vectors(shape, in, out);
    const unsigned blocks = element_blocks<scalar_t>(x.numel(), by_vectors);
    scale_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        in, shape, x.numel(), by_vectors, mean.const_data_ptr<A>(), scale.const_data_ptr<A>(),
        shift.const_data_ptr<A>(), out);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void normalize_channels_on_device(const TensorBase& x, const ChannelShape& shape, const TensorBase& mean,
                                  const TensorBase& var, const TensorBase& weight, const TensorBase& bias,
                                  double eps, const TensorBase& y) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "normalize_channels_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const auto* in = x.const_data_ptr<scalar_t>();
    auto* out = y.mutable_data_ptr<scalar_t>();
    const bool by_vectors = has_vectors(shape, in, out);
    const unsigned blocks = element_blocks<scalar_t>(x.numel(), by_vectors);
    evaluation_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        in, shape, x.numel(), by_vectors, mean.const_data_ptr<A>(), var.const_data_ptr<A>(),
        data_or_null<A>(weight), data_or_null<A>(bias), static_cast<A>(eps), out);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void channel_gradient_sums_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                     const TensorBase& mean, int64_t together, const TensorBase& sum,
                                     const TensorBase& product) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_gradient_sums_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const int columns = columns_of<scalar_t>(shape);
    const unsigned blocks = blocks_for(shape.statistics(), columns);
    sums_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        grad.const_data_ptr<scalar_t>(), x.const_data_ptr<scalar_t>(), shape, columns,
        mean.const_data_ptr<A>(), together, sum.mutable_data_ptr<A>(), product.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void gradient_factors_on_device(const TensorBase& sum, const TensorBase& product, const TensorBase& invstd,
                                const TensorBase& weight, int64_t n, const GradientFactors& factors) {
  using namespace channel_norm_kernels;
  const int64_t channels = sum.numel();
  if (channels == 0) return;
  AT_DISPATCH_FLOATING_TYPES(sum.scalar_type(), "gradient_factors_cuda", [&] {
    using A = scalar_t;
    const auto blocks = static_cast<unsigned>((channels + threads - 1) / threads);
    gradient_factors_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        channels, static_cast<A>(n), sum.const_data_ptr<A>(), product.const_data_ptr<A>(),
        invstd.const_data_ptr<A>(), data_or_null<A>(weight), factors.by_grad.mutable_data_ptr<A>(),
        mutable_data_or_null<A>(factors.by_x), mutable_data_or_null<A>(factors.shift),
        factors.by_weight.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void channel_gradient_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                const TensorBase& mean, const TensorBase& by_grad, const TensorBase& by_x,
                                const TensorBase& shift, const TensorBase& grad_x) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_gradient_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const auto *g = grad.const_data_ptr<scalar_t>(), *in = x.const_data_ptr<scalar_t>();
    auto* out = grad_x.mutable_data_ptr<scalar_t>();
    const bool by_vectors = has_vectors(shape, g, in, out);
    const unsigned blocks = element_blocks<scalar_t>(x.numel(), by_vectors);
    gradient_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        g, in, shape, x.numel(), by_vectors, mean.const_data_ptr<A>(), by_grad.const_data_ptr<A>(),
        data_or_null<A>(by_x), data_or_null<A>(shift), out);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
