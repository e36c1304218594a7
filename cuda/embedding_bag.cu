// embedding_bag: a thread for each column of each bag. Its gradients, and embedding_renorm_.
#include <ATen/native/cuda/embedding_bag.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace embedding_bag_kernels {

constexpr int threads = 256;

struct Bags {
  const int64_t *indices, *offsets;
  int64_t n, count, padding;

  __device__ int64_t end(int64_t bag) const { return bag + 1 < count ? offsets[bag + 1] : n; }
};

Bags view(const BagsOnDevice& bags) {
  return {bags.indices.const_data_ptr<int64_t>(), bags.offsets.const_data_ptr<int64_t>(),
          bags.indices.numel(), bags.count, bags.padding};
}

__device__ inline int64_t first_thread() { return int64_t{blockIdx.x} * threads + threadIdx.x; }
__device__ inline int64_t all_threads() { return int64_t{gridDim.x} * threads; }

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
__global__ void __launch_bounds__(threads)
    sum_kernel(const T* weight, int64_t columns, Bags bags, const T* factors, bool mean, T* out) {
  using A = at::acc_type<T, true>;
  for (int64_t k = first_thread(); k < bags.count * columns; k += all_threads()) {
    const int64_t bag = k / columns, column = k % columns;
    A sum = A(0);
    int64_t size = 0;
    for (int64_t i = bags.offsets[bag]; i < bags.end(bag); ++i) {
      if (bags.indices[i] == bags.padding) continue;
      const A value = static_cast<A>(weight[bags.indices[i] * columns + column]);
      sum += factors == nullptr ? value : value * static_cast<A>(factors[i]);
      ++size;
    }
    out[k] = static_cast<T>(mean && size > 0 ? sum / static_cast<A>(size) : sum);
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    max_kernel(const T* weight, int64_t columns, Bags bags, T* out, int64_t* rows) {
  using A = at::acc_type<T, true>;
  for (int64_t k = first_thread(); k < bags.count * columns; k += all_threads()) {
    const int64_t bag = k / columns, column = k % columns;
    T largest = T(0);
    int64_t found = -1;
    for (int64_t i = bags.offsets[bag]; i < bags.end(bag); ++i) {
      if (bags.indices[i] == bags.padding) continue;
      const T value = weight[bags.indices[i] * columns + column];
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
    gradient_kernel(const T* grad, const int64_t* indices, const int64_t* bag_of, const A* factors, int64_t n,
                    int64_t columns, int64_t padding, A* result) {
  for (int64_t k = first_thread(); k < n * columns; k += all_threads()) {
    const int64_t i = k / columns, column = k % columns;
    if (indices[i] == padding) continue;
    atomicAdd(result + indices[i] * columns + column,
              static_cast<A>(grad[bag_of[i] * columns + column]) * factors[i]);
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
    product_kernel(const T* grad, const T* weight, const int64_t* indices, const int64_t* bag_of, int64_t n,
                   int64_t columns, int64_t padding, T* products) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
    A sum = A(0);
    for (int64_t j = threadIdx.x; j < columns && indices[i] != padding; j += threads) {
      sum += static_cast<A>(grad[bag_of[i] * columns + j]) * static_cast<A>(weight[indices[i] * columns + j]);
    }
    sum = sum_block(sum, shared);
    if (threadIdx.x == 0) products[i] = static_cast<T>(sum);
  }
}

// The largest of the threads' values; of NaN and a number, NaN.
__device__ inline double max_block(double value, double* shared) {
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = value;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half && !(shared[t] >= shared[t + half])) {
      shared[t] = isnan(shared[t]) ? shared[t] : shared[t + half];
    }
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

// A block for each index; the first to claim a row scales it.
template <class T>
__global__ void __launch_bounds__(threads)
    renorm_kernel(T* self, const int64_t* indices, int64_t n, int64_t columns, double max_norm, double p,
                  int* claimed) {
  __shared__ double shared[threads];
  __shared__ bool is_first;
  for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
    if (threadIdx.x == 0) is_first = atomicExch(claimed + indices[i], 1) == 0;
    __syncthreads();
    if (is_first) {
      T* row = self + indices[i] * columns;
      double part = 0;
      for (int64_t j = threadIdx.x; j < columns; j += threads) {
        const double value = fabs(static_cast<double>(row[j]));
        part = isinf(p) ? (value > part || isnan(value) ? value : part)
               : p == 0 ? part + (value != 0)
                        : part + pow(value, p);
      }
      const double whole = isinf(p) ? max_block(part, shared) : sum_block(part, shared);
      const double norm = isinf(p) || p == 0 ? whole : pow(whole, 1 / p);
      const double scale = norm > max_norm ? max_norm / (norm + 1e-7) : 1;
      for (int64_t j = threadIdx.x; j < columns; j += threads) {
        if (scale != 1) row[j] = static_cast<T>(static_cast<double>(row[j]) * scale);
      }
    }
    __syncthreads();
  }
}

}  // namespace embedding_bag_kernels

using namespace embedding_bag_kernels;

void describe_bags_on_device(const BagsOnDevice& bags, const TensorBase& bag_of, const TensorBase& sizes) {
  describe_kernel<<<blocks_for(bags.count), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      view(bags), bag_of.mutable_data_ptr<int64_t>(), sizes.mutable_data_ptr<int64_t>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void sum_bags_on_device(const TensorBase& weight, const BagsOnDevice& bags, const TensorBase& factors,
                        bool mean, const TensorBase& output) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag_cuda", [&] {
    sum_kernel<<<blocks_for(output.numel()), threads, 0, stream>>>(
        weight.const_data_ptr<scalar_t>(), weight.size(1), view(bags), data_or_null<scalar_t>(factors), mean,
        output.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void max_bags_on_device(const TensorBase& weight, const BagsOnDevice& bags, const TensorBase& output,
                        const TensorBase& rows) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag_cuda", [&] {
    max_kernel<<<blocks_for(output.numel()), threads, 0, stream>>>(
        weight.const_data_ptr<scalar_t>(), weight.size(1), view(bags), output.mutable_data_ptr<scalar_t>(),
        rows.mutable_data_ptr<int64_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void add_bag_gradients_on_device(const TensorBase& grad, const TensorBase& indices, const TensorBase& bag_of,
                                 const TensorBase& factors, int64_t padding, const TensorBase& result) {
  const int64_t n = indices.numel(), columns = grad.size(1);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    gradient_kernel<<<blocks_for(n * columns), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(), bag_of.const_data_ptr<int64_t>(),
        factors.const_data_ptr<A>(), n, columns, padding, result.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void add_maximum_gradients_on_device(const TensorBase& grad, const TensorBase& sizes, const TensorBase& rows,
                                     const TensorBase& result) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    maximum_gradient_kernel<<<blocks_for(grad.numel()), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), sizes.const_data_ptr<int64_t>(), rows.const_data_ptr<int64_t>(),
        grad.size(0), grad.size(1), result.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void bag_products_on_device(const TensorBase& grad, const TensorBase& weight, const TensorBase& indices,
                            const TensorBase& bag_of, int64_t padding, const TensorBase& products) {
  const int64_t n = indices.numel();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward_cuda", [&] {
    product_kernel<<<blocks_for(n, 1), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), weight.const_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(),
        bag_of.const_data_ptr<int64_t>(), n, weight.size(1), padding, products.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void renorm_rows_on_device(const TensorBase& self, const TensorBase& indices, double max_norm, double p,
                           const TensorBase& claimed) {
  const int64_t n = indices.numel();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "embedding_renorm_cuda_", [&] {
    renorm_kernel<<<blocks_for(n, 1), threads, 0, stream>>>(
        self.mutable_data_ptr<scalar_t>(), indices.const_data_ptr<int64_t>(), n, self.size(1), max_norm, p,
        claimed.mutable_data_ptr<int>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
