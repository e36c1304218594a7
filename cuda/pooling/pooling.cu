// Gradients of max pooling, max unpooling, and fractional max pooling, on CUDA. Only the gradients of the
// last are accumulated atomically.
#include <ATen/AccumulateType.h>
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/pooling/elements.cuh>

namespace at::native {
namespace pooling_cuda {

// -------------------- Gradients of max pooling

// Few windows cover an element: those whose maximum it was add to its gradient.
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

// -------------------- Unpooling

void clear(const TensorBase& t) {
  C10_CUDA_CHECK(cudaMemsetAsync(t.mutable_data_ptr(), 0, t.numel() * t.element_size(),
                                 c10::cuda::getCurrentCUDAStream()));
}

template <class T, bool add>
__global__ void __launch_bounds__(threads)
    scatter_kernel(Pooling pooling, const T* values, const int64_t* indices, T* out, int64_t n,
                   c10::cuda::KernelAssertion in_bounds) {
  const int64_t stride = int64_t{gridDim.x} * threads, size = pooling.input_size();
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride) {
    const int64_t place = indices[i];
    in_bounds(place >= 0 && place < size, place, size);
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
  at::globalContext().alertNotDeterministic(add ? "the gradient of max_pool3d and fractional pooling on CUDA"
                                                : "max_unpool on CUDA, for indices that repeat,");
  clear(out);
  const int64_t n = values.numel();
  if (n == 0) return;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, values.scalar_type(), "max_unpool_cuda", [&] {
    scatter_kernel<scalar_t, add><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        pooling, values.const_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(),
        out.mutable_data_ptr<scalar_t>(), n,
        c10::cuda::kernel_assertion(add ? "fractional_max_pool_backward" : "max_unpool",
                                    "index {} is out of bounds for a plane of {} elements"));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

// -------------------- Windows at random positions

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
    // With two dimensions the first sample is the width's, with three the depth's.
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

REGISTER_CUDA_DISPATCH(max_pool_backward_stub, &pooling_cuda::maximum_backward)
REGISTER_CUDA_DISPATCH(fractional_max_pool_backward_stub, &pooling_cuda::scatter<true>)
REGISTER_CUDA_DISPATCH(max_unpool_stub, &pooling_cuda::scatter<false>)
REGISTER_CUDA_DISPATCH(fractional_max_pool_stub, &pooling_cuda::fractional)

}  // namespace at::native
