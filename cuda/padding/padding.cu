// Padding on CUDA: a thread per element of the result; gradients are accumulated atomically where elements
// came from.
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/padding/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>

#include <cstring>

namespace at::native {
namespace padding_cuda {

// The element of the input that element i of the output comes from; -1 for the constant.
__device__ int64_t source_of(const PadGeometry& geometry, PadMode mode, int64_t i) {
  const int64_t channel = i % geometry.inner;
  int64_t rest = i / geometry.inner, position[max_pad_dims];
  for (int d = max_pad_dims - 1; d >= 0; --d) {
    position[d] = pad_source(mode, rest % geometry.output[d] - geometry.before[d], geometry.input[d]);
    if (position[d] < 0) return -1;
    rest /= geometry.output[d];
  }
  for (int d = 0; d < max_pad_dims; ++d) rest = rest * geometry.input[d] + position[d];
  return rest * geometry.inner + channel;
}

int64_t output_elements(const PadGeometry& geometry) {
  int64_t n = geometry.outer * geometry.inner;
  for (const int64_t size : geometry.output) n *= size;
  return n;
}

template <class T>
__global__ void __launch_bounds__(launch_threads)
    pad_elements(PadGeometry geometry, PadMode mode, const T* input, T* output, T value, int64_t n) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < n; i += step) {
    const int64_t from = source_of(geometry, mode, i);
    output[i] = from < 0 ? value : input[from];
  }
}

template <class T>
__global__ void __launch_bounds__(launch_threads)
    add_elements(PadGeometry geometry, PadMode mode, const T* grad_output, T* grad_input, int64_t n) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < n; i += step) {
    atomic_add(grad_input + source_of(geometry, mode, i), grad_output[i]);
  }
}

void pad(const TensorBase& output, const TensorBase& input, const PadGeometry& geometry, PadMode mode,
         const void* value) {
  const int64_t n = output_elements(geometry);
  if (n == 0) return;
  with_opaque_type(output.element_size(), [&](auto type) {
    using T = decltype(type);
    T element;
    std::memcpy(&element, value, sizeof(T));
    pad_elements<T><<<blocks_for(n), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        geometry, mode, static_cast<const T*>(input.const_data_ptr()),
        static_cast<T*>(output.mutable_data_ptr()), element, n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void pad_backward(const TensorBase& grad_input, const TensorBase& grad_output, const PadGeometry& geometry,
                  PadMode mode) {
  at::globalContext().alertNotDeterministic("the gradient of padding on CUDA");
  const auto stream = c10::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemsetAsync(grad_input.mutable_data_ptr(), 0, grad_input.nbytes(), stream));
  const int64_t n = output_elements(geometry);
  if (n == 0) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(
      kHalf, kBFloat16, grad_input.scalar_type(), "padding_backward_cuda", [&] {
        add_elements<scalar_t><<<blocks_for(n), launch_threads, 0, stream>>>(
            geometry, mode, grad_output.const_data_ptr<scalar_t>(), grad_input.mutable_data_ptr<scalar_t>(),
            n);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
      });
}

}  // namespace padding_cuda

REGISTER_CUDA_DISPATCH(pad_stub, &padding_cuda::pad)
REGISTER_CUDA_DISPATCH(pad_backward_stub, &padding_cuda::pad_backward)

}  // namespace at::native
