// Batch and group normalisation: a block for each channel's statistics and sums, or for a few channels that
// lie side by side; a thread for each element.
#include <ATen/native/cuda/normalization/channel_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>

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
__global__ void __launch_bounds__(threads) scale_kernel(const T* x, ChannelShape shape, int64_t n,
                                                        const A* mean, const A* scale, const A* shift, T* y) {
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += int64_t{gridDim.x} * threads) {
    const int64_t k = statistic_of(shape, i);
    y[i] = static_cast<T>((static_cast<A>(x[i]) - mean[k]) * scale[k] + shift[k]);
  }
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    sums_kernel(const T* grad, const T* x, ChannelShape shape, int columns, const A* mean, A* sum_out,
                A* product_out) {
  __shared__ A shared[threads];
  for_statistics(shape, columns, [&](int64_t k) {
    A sum = A(0), product = A(0);
    for_numbers(shape, columns, k, [&](int64_t i) {
      sum += static_cast<A>(grad[i]);
      product += static_cast<A>(grad[i]) * (static_cast<A>(x[i]) - mean[k]);
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
    gradient_kernel(const T* grad, const T* x, ChannelShape shape, int64_t n, const A* mean, const A* by_grad,
                    const A* by_x, const A* shift, T* grad_x) {
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += int64_t{gridDim.x} * threads) {
    const int64_t k = statistic_of(shape, i);
    A value = static_cast<A>(grad[i]) * by_grad[k];
    if (by_x != nullptr) value += (static_cast<A>(x[i]) - mean[k]) * by_x[k] + shift[k];
    grad_x[i] = static_cast<T>(value);
  }
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
    scale_kernel<<<blocks_for(x.numel()), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.const_data_ptr<scalar_t>(), shape, x.numel(), mean.const_data_ptr<A>(), scale.const_data_ptr<A>(),
        shift.const_data_ptr<A>(), y.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void channel_gradient_sums_on_device(const TensorBase& grad, const TensorBase& x, const ChannelShape& shape,
                                     const TensorBase& mean, const TensorBase& sum,
                                     const TensorBase& product) {
  using namespace channel_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "channel_gradient_sums_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const int columns = columns_of<scalar_t>(shape);
    const unsigned blocks = blocks_for(shape.statistics(), columns);
    sums_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        grad.const_data_ptr<scalar_t>(), x.const_data_ptr<scalar_t>(), shape, columns,
        mean.const_data_ptr<A>(), sum.mutable_data_ptr<A>(), product.mutable_data_ptr<A>());
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
    gradient_kernel<<<blocks_for(x.numel()), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        grad.const_data_ptr<scalar_t>(), x.const_data_ptr<scalar_t>(), shape, x.numel(),
        mean.const_data_ptr<A>(), by_grad.const_data_ptr<A>(), data_or_null<A>(by_x), data_or_null<A>(shift),
        grad_x.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
