// embedding_bag: a thread per column of each bag; and its gradients.
#include <ATen/AccumulateType.h>
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/embedding/embedding_bag_sums.h>
#include <ATen/native/embedding/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace embedding_bag_kernels {

constexpr int threads = 256;

__device__ inline int64_t first_thread() { return int64_t{blockIdx.x} * threads + threadIdx.x; }
__device__ inline int64_t all_threads() { return int64_t{gridDim.x} * threads; }

// `first` is the largest unsigned number before.
__global__ void __launch_bounds__(threads)
    outside_kernel(const int64_t* values, int64_t n, int64_t size, unsigned long long* first) {
  for (int64_t i = first_thread(); i < n; i += all_threads()) {
    if (values[i] < 0 || values[i] >= size) atomicMin(first, static_cast<unsigned long long>(i));
  }
}

__global__ void __launch_bounds__(threads) describe_kernel(Bags bags, int64_t* bag_of, int64_t* sizes) {
  for (int64_t b = first_thread(); b < bags.count; b += all_threads()) {
    int64_t size = 0;
    for (int64_t i = bags.offsets[b]; i < bags.end(b); ++i) {
      bag_of[i] = b;
      size += bags.indices[i] != bags.padding;
    }
    sizes[b] = size;
  }
}

template <class T>
__global__ void __launch_bounds__(threads) sum_kernel(const T* weight, int64_t stride, int64_t columns,
                                                      Bags bags, const T* factors, bool mean, T* out) {
  using A = at::acc_type<T, true>;
  for (int64_t k = first_thread(); k < bags.count * columns; k += all_threads()) {
    const int64_t bag = k / columns, column = k % columns;
    A sum = A(0);
    int64_t size = 0;
    for (int64_t i = bags.offsets[bag]; i < bags.end(bag); ++i) {
      if (bags.indices[i] == bags.padding) continue;
      const A value = static_cast<A>(weight[bags.indices[i] * stride + column]);
      sum += factors == nullptr ? value : value * static_cast<A>(factors[i]);
      ++size;
    }
    out[k] = static_cast<T>(mean && size > 0 ? sum / static_cast<A>(size) : sum);
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    max_kernel(const T* weight, int64_t stride, int64_t columns, Bags bags, T* out, int64_t* rows) {
  using A = at::acc_type<T, true>;
  for (int64_t k = first_thread(); k < bags.count * columns; k += all_threads()) {
    const int64_t bag = k / columns, column = k % columns;
    T largest = T(0);
    int64_t found = -1;
    for (int64_t i = bags.offsets[bag]; i < bags.end(bag); ++i) {
      if (bags.indices[i] == bags.padding) continue;
      const T value = weight[bags.indices[i] * stride + column];
      if (found < 0 || static_cast<A>(value) > static_cast<A>(largest)) {
        largest = value;
        found = bags.indices[i];
      }
    }
    out[k] = largest;
    rows[k] = found < 0 ? 0 : found;
  }
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    maximum_gradient_kernel(const T* grad, const int64_t* sizes, const int64_t* rows, int64_t bags,
                            int64_t columns, A* result) {
  for (int64_t k = first_thread(); k < bags * columns; k += all_threads()) {
    if (sizes[k / columns] > 0) atomicAdd(result + rows[k] * columns + k % columns, static_cast<A>(grad[k]));
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    product_kernel(const T* grad, const T* weight, int64_t stride, const int64_t* indices,
                   const int64_t* bag_of, int64_t n, int64_t columns, int64_t padding, T* products) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
    A sum = A(0);
    for (int64_t j = threadIdx.x; j < columns && indices[i] != padding; j += threads) {
      sum += static_cast<A>(grad[bag_of[i] * columns + j]) * static_cast<A>(weight[indices[i] * stride + j]);
    }
    sum = sum_block(sum, shared);
    if (threadIdx.x == 0) products[i] = static_cast<T>(sum);
  }
}

int64_t first_outside(const TensorBase& values, int64_t size) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const TensorBase first = at::detail::empty_device({1}, kLong, values.device());
  C10_CUDA_CHECK(cudaMemsetAsync(first.mutable_data_ptr(), 0xFF, sizeof(int64_t), stream));
  outside_kernel<<<blocks_for(values.numel()), threads, 0, stream>>>(
      values.const_data_ptr<int64_t>(), values.numel(), size,
      static_cast<unsigned long long*>(first.mutable_data_ptr()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  int64_t found = 0;
  C10_CUDA_CHECK(
      cudaMemcpyAsync(&found, first.const_data_ptr(), sizeof(found), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  return found;
}

void describe_bags(const Bags& bags, const TensorBase& bag_of, const TensorBase& sizes) {
  describe_kernel<<<blocks_for(bags.count), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      bags, bag_of.mutable_data_ptr<int64_t>(), sizes.mutable_data_ptr<int64_t>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void bag_sums(const TensorBase& weight, const Bags& bags, const TensorBase& factors, bool mean,
              const TensorBase& output) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag", [&] {
    sum_kernel<<<blocks_for(output.numel()), threads, 0, stream>>>(
        weight.const_data_ptr<scalar_t>(), weight.stride(0), weight.size(1), bags,
        data_or_null<scalar_t>(factors), mean, output.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void bag_maxima(const TensorBase& weight, const Bags& bags, const TensorBase& output,
                const TensorBase& rows) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag", [&] {
    max_kernel<<<blocks_for(output.numel()), threads, 0, stream>>>(
        weight.const_data_ptr<scalar_t>(), weight.stride(0), weight.size(1), bags,
        output.mutable_data_ptr<scalar_t>(), rows.mutable_data_ptr<int64_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void add_maximum_gradients(const TensorBase& grad, const TensorBase& sizes, const TensorBase& rows,
                           const TensorBase& result) {
  at::globalContext().alertNotDeterministic("the gradient of embedding_bag by maxima on CUDA");
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    using A = at::acc_type<scalar_t, true>;
    maximum_gradient_kernel<<<blocks_for(grad.numel()), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), sizes.const_data_ptr<int64_t>(), rows.const_data_ptr<int64_t>(),
        grad.size(0), grad.size(1), result.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void bag_products(const TensorBase& grad, const TensorBase& weight, const TensorBase& indices,
                  const TensorBase& bag_of, int64_t padding, const TensorBase& products) {
  const int64_t n = indices.numel();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    product_kernel<<<blocks_for(n, 1), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), weight.const_data_ptr<scalar_t>(), weight.stride(0),
        indices.const_data_ptr<int64_t>(), bag_of.const_data_ptr<int64_t>(), n, weight.size(1), padding,
        products.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace embedding_bag_kernels

REGISTER_CUDA_DISPATCH(first_outside_stub, &embedding_bag_kernels::first_outside)
REGISTER_CUDA_DISPATCH(describe_bags_stub, &embedding_bag_kernels::describe_bags)
REGISTER_CUDA_DISPATCH(bag_sums_stub, &embedding_bag_kernels::bag_sums)
REGISTER_CUDA_DISPATCH(bag_maxima_stub, &embedding_bag_kernels::bag_maxima)
REGISTER_CUDA_DISPATCH(add_bag_gradients_stub, &add_bag_gradients)
REGISTER_CUDA_DISPATCH(add_maximum_gradients_stub, &embedding_bag_kernels::add_maximum_gradients)
REGISTER_CUDA_DISPATCH(bag_products_stub, &embedding_bag_kernels::bag_products)

}  // namespace at::native
