// embedding_bag: a thread per column of each bag; and its gradients. The kernels that read indices first
// assert that they are valid.
#include <ATen/AccumulateType.h>
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/embedding/embedding_bag_sums.h>
#include <ATen/native/embedding/stubs.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/BlockReduce.cuh>

#include <algorithm>

namespace at::native {
namespace embedding_bag_kernels {

constexpr int threads = 256;

__device__ inline int64_t first_thread() { return int64_t{blockIdx.x} * threads + threadIdx.x; }
__device__ inline int64_t all_threads() { return int64_t{gridDim.x} * threads; }

struct Described {
  int64_t *bag_of, *sizes, *copy;  // null where nobody wants them
  int64_t size_count;
  bool counts;
  c10::cuda::KernelAssertion in_bounds, in_order;
};

// The last bag that begins at index i or before, or -1.
__device__ int64_t bag_at(const Bags& bags, int64_t i) {
  int64_t first = 0, last = bags.count;
  while (first < last) {
    const int64_t middle = (first + last) / 2;
    if (bags.offsets[middle] <= i) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first - 1;
}

__device__ int64_t size_of(const Bags& bags, int64_t bag) {
  const int64_t begin = bags.offsets[bag], end = bags.end(bag);
  if (bags.padding < 0) return end - begin;
  int64_t size = 0;
  for (int64_t i = begin; i < end; ++i) size += bags.indices[i] != bags.padding;
  return size;
}

// A thread for each index, each offset and each size.
__global__ void __launch_bounds__(threads) describe_kernel(Bags bags, Described to, int64_t all) {
  for (int64_t i = first_thread(); i < all; i += all_threads()) {
    if (i < bags.n) {
      to.in_bounds(bags.indices[i] >= 0 && bags.indices[i] < bags.rows, bags.indices[i], bags.rows);
      if (to.bag_of != nullptr) to.bag_of[i] = bag_at(bags, i);
    }
    if (i < bags.given) {
      const int64_t offset = bags.offsets[i], next = i + 1 < bags.given ? bags.offsets[i + 1] : bags.n;
      to.in_order(offset >= 0 && offset <= next && next <= bags.n && (i > 0 || offset == 0), i, offset);
    }
    if (i < to.size_count) {
      const int64_t size = to.counts ? size_of(bags, i) : 0;
      to.sizes[i] = size;
      if (to.copy != nullptr) to.copy[i] = size;
    }
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
                            int64_t columns, int64_t row_count, c10::cuda::KernelAssertion in_bounds,
                            A* result) {
  for (int64_t k = first_thread(); k < bags * columns; k += all_threads()) {
    if (sizes[k / columns] == 0) continue;
    in_bounds(rows[k] >= 0 && rows[k] < row_count, rows[k], row_count);
    atomicAdd(result + rows[k] * columns + k % columns, static_cast<A>(grad[k]));
  }
}

// The rows of grad and weight whose products are wanted, for each of n indices.
struct Pairs {
  const int64_t *indices, *bag_of;
  int64_t n, rows, bags, padding;
  c10::cuda::KernelAssertion in_bounds;
};

template <class T>
__global__ void __launch_bounds__(threads) product_kernel(const T* grad, const T* weight, int64_t stride,
                                                          int64_t columns, Pairs pairs, T* products) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  for (int64_t i = blockIdx.x; i < pairs.n; i += gridDim.x) {
    const int64_t row = pairs.indices[i], bag = pairs.bag_of[i];
    pairs.in_bounds(row >= 0 && row < pairs.rows, row, pairs.rows);
    pairs.in_bounds(bag >= 0 && bag < pairs.bags, bag, pairs.bags);
    A sum = A(0);
    for (int64_t j = threadIdx.x; j < columns && row != pairs.padding; j += threads) {
      sum += static_cast<A>(grad[bag * columns + j]) * static_cast<A>(weight[row * stride + j]);
    }
    sum = sum_block(sum, shared);
    if (threadIdx.x == 0) products[i] = static_cast<T>(sum);
  }
}

int64_t* longs_or_null(const TensorBase& t) {
  return t.defined() && t.numel() > 0 ? t.mutable_data_ptr<int64_t>() : nullptr;
}

void describe_bags(const Bags& bags, const BagDescription& description) {
  const Described to{
      longs_or_null(description.bag_of),
      longs_or_null(description.sizes),
      longs_or_null(description.copy),
      description.sizes.numel(),
      description.counts,
      c10::cuda::index_assertion("embedding_bag"),
      c10::cuda::kernel_assertion("embedding_bag",
                                  "offsets have to begin with 0, not to decrease, and to be at most the "
                                  "number of indices, but offsets[{}] is {}")};
  const int64_t all = std::max({bags.n, bags.given, to.size_count});
  if (all == 0) return;
  describe_kernel<<<blocks_for(all), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(bags, to, all);
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
        grad.size(0), grad.size(1), result.size(0), c10::cuda::index_assertion("embedding_bag_backward"),
        result.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void bag_products(const TensorBase& grad, const TensorBase& weight, const TensorBase& indices,
                  const TensorBase& bag_of, int64_t padding, const TensorBase& products) {
  const Pairs pairs{indices.const_data_ptr<int64_t>(),
                    bag_of.const_data_ptr<int64_t>(),
                    indices.numel(),
                    weight.size(0),
                    grad.size(0),
                    padding,
                    c10::cuda::index_assertion("embedding_bag_backward")};
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    product_kernel<<<blocks_for(pairs.n, 1), threads, 0, stream>>>(
        grad.const_data_ptr<scalar_t>(), weight.const_data_ptr<scalar_t>(), weight.stride(0), weight.size(1),
        pairs, products.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace embedding_bag_kernels

REGISTER_CUDA_DISPATCH(describe_bags_stub, &embedding_bag_kernels::describe_bags)
REGISTER_CUDA_DISPATCH(bag_sums_stub, &embedding_bag_kernels::bag_sums)
REGISTER_CUDA_DISPATCH(bag_maxima_stub, &embedding_bag_kernels::bag_maxima)
REGISTER_CUDA_DISPATCH(add_bag_gradients_stub, &add_bag_gradients)
REGISTER_CUDA_DISPATCH(add_maximum_gradients_stub, &embedding_bag_kernels::add_maximum_gradients)
REGISTER_CUDA_DISPATCH(bag_products_stub, &embedding_bag_kernels::bag_products)

}  // namespace at::native
