// Poolings on CUDA: a thread for each element that is written, so that no sum depends on the order of
// threads; only gradients of windows at random places are added up atomically.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/NumericUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Pool.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>

#include <limits>

namespace at::native {
namespace pooling_cuda {

constexpr int threads = launch_threads;

// An element of a dense tensor: which plane it is of, where in that, and how to reach the plane's elements.
struct Element {
  int64_t image, channel, d, h, w;

  __device__ Element(int64_t i, const Pooling& pooling, int64_t depth, int64_t height, int64_t width) {
    if (pooling.channels_last) {
      channel = i % pooling.channels;
      i /= pooling.channels;
    }
    w = i % width;
    h = i / width % height;
    d = i / (width * height) % depth;
    i /= width * height * depth;
    if (!pooling.channels_last) {
      channel = i % pooling.channels;
      i /= pooling.channels;
    }
    image = i;
  }

  // Of the plane of `size` elements: its first one, and the distance of neighbours.
  __device__ int64_t first(const Pooling& pooling, int64_t size) const {
    return pooling.channels_last ? image * size * pooling.channels + channel
                                 : (image * pooling.channels + channel) * size;
  }
};

__device__ inline int64_t step_of(const Pooling& pooling) {
  return pooling.channels_last ? pooling.channels : 1;
}

__device__ inline Element output_element(int64_t i, const Pooling& pooling) {
  return {i, pooling, pooling.axes[0].output, pooling.axes[1].output, pooling.axes[2].output};
}

__device__ inline Element input_element(int64_t i, const Pooling& pooling) {
  return {i, pooling, pooling.axes[0].input, pooling.axes[1].input, pooling.axes[2].input};
}

template <class A>
__device__ A divisor_of(const Pooling& pooling, int64_t d, int64_t h, int64_t w) {
  if (pooling.divisor != 0) return static_cast<A>(pooling.divisor);
  const bool padding = pooling.count_include_pad;
  return static_cast<A>(pooling.axes[0].count(d, padding)) *
         static_cast<A>(pooling.axes[1].count(h, padding)) *
         static_cast<A>(pooling.axes[2].count(w, padding));
}

// -------------------- Averages

template <class T>
__global__ void __launch_bounds__(threads)
    average_kernel(Pooling pooling, const T* input, T* output, int64_t n) {
  using A = at::acc_type<T, true>;
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    A sum = A(0);
    bool empty = true;
    for (int64_t d = depth.begin(e.d); d < depth.end(e.d); ++d) {
      for (int64_t h = height.begin(e.h); h < height.end(e.h); ++h) {
        for (int64_t w = width.begin(e.w); w < width.end(e.w); ++w) {
          sum += static_cast<A>(plane[((d * height.input + h) * width.input + w) * step]);
          empty = false;
        }
      }
    }
    output[i] = empty ? T(0) : static_cast<T>(sum / divisor_of<A>(pooling, e.d, e.h, e.w));
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    average_backward_kernel(Pooling pooling, const T* grad, T* out, int64_t n) {
  using A = at::acc_type<T, true>;
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = input_element(i, pooling);
    const T* plane = grad + e.first(pooling, pooling.output_size());
    A sum = A(0);
    for (int64_t d = depth.first_over(e.d); d < depth.last_over(e.d); ++d) {
      for (int64_t h = height.first_over(e.h); h < height.last_over(e.h); ++h) {
        for (int64_t w = width.first_over(e.w); w < width.last_over(e.w); ++w) {
          const int64_t at = (d * height.output + h) * width.output + w;
          sum += static_cast<A>(plane[at * step]) / divisor_of<A>(pooling, d, h, w);
        }
      }
    }
    out[i] = static_cast<T>(sum);
  }
}

void average(const Pooling& pooling, const TensorBase& input, const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "avg_pool_cuda", [&] {
    const int64_t n = output.numel();
    average_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void average_backward(const Pooling& pooling, const TensorBase& grad, const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "avg_pool_backward_cuda", [&] {
    const int64_t n = grad_input.numel();
    average_backward_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, grad.const_data_ptr<scalar_t>(), grad_input.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

// -------------------- Maxima

template <class T>
struct Maximum {
  T value;
  int64_t place;

  __device__ Maximum(const Pooling& pooling, int64_t d, int64_t h, int64_t w)
      : value(std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                                   : std::numeric_limits<T>::lowest()),
        place((d * pooling.axes[1].input + h) * pooling.axes[2].input + w) {}
  __device__ void take(T other, int64_t where) {
    using Compared = at::opmath_type<T>;  // 16-bit numbers have CUDA's operators and the language's
    if (static_cast<Compared>(other) > static_cast<Compared>(value) || at::_isnan(other)) {
      value = other;
      place = where;
    }
  }
};

template <class T>
__global__ void __launch_bounds__(threads)
    maximum_kernel(Pooling pooling, const T* input, T* output, int64_t* indices, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    Maximum<T> found(pooling, depth.begin(e.d), height.begin(e.h), width.begin(e.w));
    for (int64_t d = depth.begin(e.d); d < depth.end(e.d); d += depth.dilation) {
      for (int64_t h = height.begin(e.h); h < height.end(e.h); h += height.dilation) {
        for (int64_t w = width.begin(e.w); w < width.end(e.w); w += width.dilation) {
          const int64_t at = (d * height.input + h) * width.input + w;
          found.take(plane[at * step], at);
        }
      }
    }
    output[i] = found.value;
    indices[i] = found.place;
  }
}

// The windows over an element are few: those that chose it add to its gradient.
template <class T>
__global__ void __launch_bounds__(threads)
    maximum_backward_kernel(Pooling pooling, const T* grad, const int64_t* indices, T* out, int64_t n) {
  using A = at::acc_type<T, true>;
  const int64_t stride = int64_t{gridDim.x} * threads, step = step_of(pooling);
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = input_element(i, pooling);
    const int64_t place = (e.d * height.input + e.h) * width.input + e.w;
    const int64_t plane = e.first(pooling, pooling.output_size());
    A sum = A(0);
    for (int64_t d = depth.first_over(e.d); d < depth.last_over(e.d); ++d) {
      for (int64_t h = height.first_over(e.h); h < height.last_over(e.h); ++h) {
        for (int64_t w = width.first_over(e.w); w < width.last_over(e.w); ++w) {
          const int64_t at = plane + ((d * height.output + h) * width.output + w) * step;
          if (indices[at] == place) sum += static_cast<A>(grad[at]);
        }
      }
    }
    out[i] = static_cast<T>(sum);
  }
}

void maximum(const Pooling& pooling, const TensorBase& input, const TensorBase& output,
             const TensorBase& indices) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "max_pool_cuda", [&] {
    const int64_t n = output.numel();
    maximum_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(),
        indices.mutable_data_ptr<int64_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void maximum_backward(const Pooling& pooling, const TensorBase& grad, const TensorBase& indices,
                      const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "max_pool_backward_cuda", [&] {
    const int64_t n = grad_input.numel();
    maximum_backward_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, grad.const_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(),
        grad_input.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

// -------------------- What goes where indices say

void clear(const TensorBase& t) {
  C10_CUDA_CHECK(cudaMemsetAsync(t.mutable_data_ptr(), 0, t.numel() * t.element_size(),
                                 c10::cuda::getCurrentCUDAStream()));
}

template <class T, bool add>
__global__ void __launch_bounds__(threads)
    scatter_kernel(Pooling pooling, const T* values, const int64_t* indices, T* out, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * threads, size = pooling.input_size();
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const int64_t place = indices[i];
    CUDA_KERNEL_ASSERT(place >= 0 && place < size && "an index leads out of its plane");
    T* to = out + output_element(i, pooling).first(pooling, size) + place * step_of(pooling);
    if constexpr (add) {
      atomic_add(to, values[i]);
    } else {
      *to = values[i];
    }
  }
}

template <bool add>
void scatter(const Pooling& pooling, const TensorBase& values, const TensorBase& indices,
             const TensorBase& out) {
  clear(out);
  const int64_t n = values.numel();
  if (n == 0) return;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, values.scalar_type(), "max_unpool_cuda", [&] {
    scatter_kernel<scalar_t, add><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, values.const_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(),
        out.mutable_data_ptr<scalar_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

// -------------------- Windows at random places

template <class T>
__global__ void __launch_bounds__(threads)
    fractional_kernel(Pooling pooling, const T* input, const T* samples, T* output, int64_t* indices,
                      int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * threads;
  const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  const bool volumes = pooling.dims == 3;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const Element e = output_element(i, pooling);
    const T* plane = input + e.first(pooling, pooling.input_size());
    // Of two dimensions the first number is that of the width, of three that of the depth.
    const T* sample = samples + (e.image * pooling.channels + e.channel) * pooling.dims;
    const int64_t d0 = volumes ? fractional_begin<T>(depth, sample[0], e.d) : 0;
    const int64_t h0 = fractional_begin<T>(height, sample[1], e.h);
    const int64_t w0 = fractional_begin<T>(width, sample[volumes ? 2 : 0], e.w);
    Maximum<T> found(pooling, d0, h0, w0);
    for (int64_t d = d0; d < d0 + depth.kernel; ++d) {
      for (int64_t h = h0; h < h0 + height.kernel; ++h) {
        for (int64_t w = w0; w < w0 + width.kernel; ++w) {
          const int64_t at = (d * height.input + h) * width.input + w;
          found.take(plane[at], at);
        }
      }
    }
    output[i] = found.value;
    indices[i] = found.place;
  }
}

void fractional(const Pooling& pooling, const TensorBase& input, const TensorBase& random_samples,
                const TensorBase& output, const TensorBase& indices) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "fractional_max_pool_cuda", [&] {
    const int64_t n = output.numel();
    fractional_kernel<scalar_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, input.const_data_ptr<scalar_t>(), random_samples.const_data_ptr<scalar_t>(),
        output.mutable_data_ptr<scalar_t>(), indices.mutable_data_ptr<int64_t>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace pooling_cuda

REGISTER_CUDA_DISPATCH(avg_pool_stub, &pooling_cuda::average)
REGISTER_CUDA_DISPATCH(avg_pool_backward_stub, &pooling_cuda::average_backward)
REGISTER_CUDA_DISPATCH(max_pool_stub, &pooling_cuda::maximum)
REGISTER_CUDA_DISPATCH(max_pool_backward_stub, &pooling_cuda::maximum_backward)
REGISTER_CUDA_DISPATCH(fractional_max_pool_backward_stub, &pooling_cuda::scatter<true>)
REGISTER_CUDA_DISPATCH(max_unpool_stub, &pooling_cuda::scatter<false>)
REGISTER_CUDA_DISPATCH(fractional_max_pool_stub, &pooling_cuda::fractional)

}  // namespace at::native
