// Convolution kernels: im2col and col2im, a thread per element that is written; and depthwise convolutions,
// which are computed directly.
#include <ATen/native/cuda/convolution/convolution.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace convolution_kernels {

constexpr int threads = 256;

struct Place {
  int64_t at[3];
};

__device__ Place place_of(int64_t position, const int64_t (&sizes)[3]) {
  Place place;
  place.at[2] = position % sizes[2];
  place.at[1] = position / sizes[2] % sizes[1];
  place.at[0] = position / sizes[2] / sizes[1];
  return place;
}

// The position in the large image that a tap of a window reads; -1 outside.
__device__ int64_t read_by(const ConvGeometry& g, const Place& window, const Place& tap) {
  int64_t position = 0;
  for (int d = 0; d < 3; ++d) {
    const int64_t at = window.at[d] * g.stride[d] + tap.at[d] * g.dilation[d] - g.padding[d];
    if (at < 0 || at >= g.large[d]) return -1;
    position = position * g.large[d] + at;
  }
  return position;
}

// The window whose tap reads a position of the large image; -1 for none.
__device__ int64_t reader_of(const ConvGeometry& g, const Place& place, const Place& tap) {
  int64_t window = 0;
  for (int d = 0; d < 3; ++d) {
    const int64_t from = place.at[d] + g.padding[d] - tap.at[d] * g.dilation[d];
    if (from < 0 || from % g.stride[d] != 0 || from / g.stride[d] >= g.small[d]) return -1;
    window = window * g.small[d] + from / g.stride[d];
  }
  return window;
}

// Calls f(index) for the indices of this thread.
template <class F>
__device__ void for_each_index(int64_t count, const F& f) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < count; i += step) f(i);
}

// Distances between columns of neighbouring images, channels and taps; a position's is 1.
struct ColumnStrides {
  int64_t image, channel, tap;

  ColumnStrides(const ConvGeometry& g, int64_t count, bool by_image) {
    tap = by_image ? g.positions() : count * g.positions();
    channel = g.taps() * tap;
    image = by_image ? g.channels * channel : g.positions();
  }
};

// What a launch writes beside columns: of images [count, channels, positions] the same as [channels, count,
// positions]; or images, each element of which is its channel's in `from`.
template <class T>
struct Beside {
  const T* from;
  T* to;
  int64_t channels, elements;
  bool is_bias;
};

template <class T>
__global__ void __launch_bounds__(threads) gather_kernel(ConvGeometry g, ColumnStrides strides, int64_t count,
                                                         const T* images, T* columns, Beside<T> small) {
  const int64_t windows = g.channels * count * g.positions();
  for_each_index(windows + small.elements, [&](int64_t index) {
    const int64_t position = index % g.positions();
    if (index >= windows) {
      const int64_t line = (index - windows) / g.positions(), image = line % count, channel = line / count;
      const int64_t from = small.is_bias ? line % small.channels
                                         : (image * small.channels + channel) * g.positions() + position;
      small.to[index - windows] = small.from[from];
      return;
    }
    const int64_t line = index / g.positions(), image = line % count, channel = line / count;
    const Place window = place_of(position, g.small);
    const T* from = images + (image * g.channels + channel) * g.large_positions();
    T* to = columns + image * strides.image + channel * strides.channel + position;
    for (int64_t t = 0; t < g.taps(); ++t, to += strides.tap) {
      const int64_t read = read_by(g, window, place_of(t, g.kernel));
      *to = read < 0 ? T(0) : from[read];
    }
  });
}

template <class T>
__global__ void __launch_bounds__(threads) add_kernel(ConvGeometry g, ColumnStrides strides, int64_t count,
                                                      const T* columns, const T* bias, T* images) {
  using A = at::acc_type<T, true>;
  for_each_index(count * g.channels * g.large_positions(), [&](int64_t index) {
    const int64_t channel = index / g.large_positions() % g.channels;
    const int64_t image = index / g.large_positions() / g.channels;
    const Place place = place_of(index % g.large_positions(), g.large);
    const T* from = columns + image * strides.image + channel * strides.channel;
    A sum = bias == nullptr ? A(0) : static_cast<A>(bias[channel]);
    for (int64_t t = 0; t < g.taps(); ++t, from += strides.tap) {
      const int64_t window = reader_of(g, place, place_of(t, g.kernel));
      if (window >= 0) sum += static_cast<A>(from[window]);
    }
    images[index] = static_cast<T>(sum);
  });
}

template <class T>
__global__ void __launch_bounds__(threads)
    forward_kernel(ConvGeometry g, int64_t count, int64_t multiplier, const T* large, const T* weight,
                   const T* bias, T* small) {
  using A = at::acc_type<T, true>;
  const int64_t channels = g.groups * multiplier;
  for_each_index(count * channels * g.positions(), [&](int64_t index) {
    const int64_t channel = index / g.positions() % channels, image = index / g.positions() / channels;
    const Place window = place_of(index % g.positions(), g.small);
    const T* from = large + (image * g.groups + channel / multiplier) * g.large_positions();
    A sum = bias == nullptr ? A(0) : static_cast<A>(bias[channel]);
    for (int64_t t = 0; t < g.taps(); ++t) {
      const int64_t position = read_by(g, window, place_of(t, g.kernel));
      if (position >= 0) {
        sum += static_cast<A>(from[position]) * static_cast<A>(weight[channel * g.taps() + t]);
      }
    }
    small[index] = static_cast<T>(sum);
  });
}

template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(ConvGeometry g, int64_t count, int64_t multiplier, const T* small, const T* weight,
                    const T* bias, T* large) {
  using A = at::acc_type<T, true>;
  for_each_index(count * g.groups * g.large_positions(), [&](int64_t index) {
    const int64_t group = index / g.large_positions() % g.groups,
                  image = index / g.large_positions() / g.groups;
    const Place place = place_of(index % g.large_positions(), g.large);
    A sum = bias == nullptr ? A(0) : static_cast<A>(bias[group]);
    for (int64_t t = 0; t < g.taps(); ++t) {
      const int64_t window = reader_of(g, place, place_of(t, g.kernel));
      for (int64_t m = 0; window >= 0 && m < multiplier; ++m) {
        const int64_t channel = group * multiplier + m;
        const T* from = small + (image * g.groups * multiplier + channel) * g.positions();
        sum += static_cast<A>(from[window]) * static_cast<A>(weight[channel * g.taps() + t]);
      }
    }
    large[index] = static_cast<T>(sum);
  });
}

// A block per weight: the sum over all windows of all images.
template <class T>
__global__ void __launch_bounds__(threads) weight_kernel(ConvGeometry g, int64_t count, int64_t multiplier,
                                                         const T* large, const T* small, T* weight) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  const int64_t channels = g.groups * multiplier;
  for (int64_t index = blockIdx.x; index < channels * g.taps(); index += gridDim.x) {
    const int64_t channel = index / g.taps();
    const Place tap = place_of(index % g.taps(), g.kernel);
    A sum = A(0);
    for (int64_t i = threadIdx.x; i < count * g.positions(); i += threads) {
      const int64_t image = i / g.positions(), window = i % g.positions();
      const int64_t position = read_by(g, place_of(window, g.small), tap);
      if (position < 0) continue;
      sum +=
          static_cast<A>(large[(image * g.groups + channel / multiplier) * g.large_positions() + position]) *
          static_cast<A>(small[(image * channels + channel) * g.positions() + window]);
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
      if (static_cast<int>(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
      __syncthreads();
    }
    // Only thread 0 reads and writes shared[0] from here to the next round's barrier.
    if (threadIdx.x == 0) weight[index] = static_cast<T>(shared[0]);
  }
}

// Calls launch(scalar_t()) for the dtype, then checks.
template <class F>
void for_dtype(const TensorBase& t, const F& launch) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, t.scalar_type(), "convolution_cuda", [&] {
    launch(scalar_t(), c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

template <class T>
const T* data_or_null(const TensorBase& t) {
  return t.defined() ? t.const_data_ptr<T>() : nullptr;
}

}  // namespace convolution_kernels

using namespace convolution_kernels;

namespace {

template <class T>
void gather(const ConvGeometry& geometry, bool by_image, const TensorBase& images, const TensorBase& columns,
            const Beside<T>& small, c10::cuda::CUDAStream stream) {
  const int64_t count = images.size(0),
                work = geometry.channels * count * geometry.positions() + small.elements;
  gather_kernel<T><<<blocks_for(work, threads), threads, 0, stream>>>(
      geometry, ColumnStrides(geometry, count, by_image), count, images.const_data_ptr<T>(),
      columns.mutable_data_ptr<T>(), small);
}

}  // namespace

void gather_columns_on_device(const ConvGeometry& geometry, bool by_image, const TensorBase& images,
                              const TensorBase& columns) {
  for_dtype(images, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    gather<T>(geometry, by_image, images, columns, {}, stream);
  });
}

void gather_columns_on_device(const ConvGeometry& geometry, const TensorBase& images,
                              const TensorBase& columns, const TensorBase& small,
                              const TensorBase& by_channel) {
  for_dtype(images, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    gather<T>(geometry, /*by_image=*/false, images, columns,
              {small.const_data_ptr<T>(), by_channel.mutable_data_ptr<T>(), small.size(1), small.numel(),
               /*is_bias=*/false},
              stream);
  });
}

void gather_columns_and_fill_on_device(const ConvGeometry& geometry, const TensorBase& images,
                                       const TensorBase& columns, const TensorBase& bias,
                                       const TensorBase& small) {
  for_dtype(images, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    gather<T>(geometry, /*by_image=*/true, images, columns,
              {bias.const_data_ptr<T>(), small.mutable_data_ptr<T>(), small.size(1), small.numel(),
               /*is_bias=*/true},
              stream);
  });
}

void add_columns_on_device(const ConvGeometry& geometry, bool by_image, const TensorBase& columns,
                           const TensorBase& bias, const TensorBase& images) {
  const ColumnStrides strides(geometry, images.size(0), by_image);
  for_dtype(images, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    add_kernel<T><<<blocks_for(images.numel(), threads), threads, 0, stream>>>(
        geometry, strides, images.size(0), columns.const_data_ptr<T>(), data_or_null<T>(bias),
        images.mutable_data_ptr<T>());
  });
}

void depthwise_forward_on_device(const ConvGeometry& geometry, const TensorBase& large,
                                 const TensorBase& weight, const TensorBase& bias, const TensorBase& small) {
  for_dtype(large, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    forward_kernel<T><<<blocks_for(small.numel(), threads), threads, 0, stream>>>(
        geometry, large.size(0), small.size(1) / geometry.groups, large.const_data_ptr<T>(),
        weight.const_data_ptr<T>(), data_or_null<T>(bias), small.mutable_data_ptr<T>());
  });
}

void depthwise_backward_on_device(const ConvGeometry& geometry, const TensorBase& small,
                                  const TensorBase& weight, const TensorBase& bias, const TensorBase& large) {
  for_dtype(large, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    backward_kernel<T><<<blocks_for(large.numel(), threads), threads, 0, stream>>>(
        geometry, large.size(0), small.size(1) / geometry.groups, small.const_data_ptr<T>(),
        weight.const_data_ptr<T>(), data_or_null<T>(bias), large.mutable_data_ptr<T>());
  });
}

void depthwise_weight_on_device(const ConvGeometry& geometry, const TensorBase& large,
                                const TensorBase& small, const TensorBase& weight) {
  for_dtype(large, [&]<class T>(T, c10::cuda::CUDAStream stream) {
    weight_kernel<T><<<blocks_for(weight.numel(), 1), threads, 0, stream>>>(
        geometry, large.size(0), small.size(1) / geometry.groups, large.const_data_ptr<T>(),
        small.const_data_ptr<T>(), weight.mutable_data_ptr<T>());
  });
}

}  // namespace at::native
