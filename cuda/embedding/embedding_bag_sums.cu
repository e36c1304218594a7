// The gradient of embedding_bag's rows: indices are sorted, and each row's gradients are added in the
// indices' order.
#include <ATen/native/cuda/embedding/embedding_bag_sums.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/sorting/sort_pairs.cuh>

#include <bit>
#include <limits>

namespace at::native {
namespace embedding_bag_sums {

struct Indices {
  const int64_t *rows, *bag_of;
  int64_t row_count, bags;
  c10::cuda::KernelAssertion in_bounds;
};

__global__ void __launch_bounds__(launch_threads)
    make_keys(Indices indices, uint32_t n, uint64_t* keys, uint32_t* positions) {
  const uint32_t step = gridDim.x * launch_threads;
  for (uint32_t i = blockIdx.x * launch_threads + threadIdx.x; i < n; i += step) {
    const int64_t row = indices.rows[i], bag = indices.bag_of[i];
    indices.in_bounds(row >= 0 && row < indices.row_count, row, indices.row_count);
    indices.in_bounds(bag >= 0 && bag < indices.bags, bag, indices.bags);
    keys[i] = static_cast<uint64_t>(row);
    positions[i] = i;
  }
}

template <class T>
struct Gradients {
  const T *grad, *factors;        // factors: null for 1
  const int64_t *bag_of, *sizes;  // sizes: null if the gradients aren't those of means
  int64_t columns, padding;
  bool by_frequency;

  // `count`: how often the index occurs.
  template <class A>
  __device__ A factor(uint32_t index, uint32_t count) const {
    A result = factors == nullptr ? A(1) : static_cast<A>(factors[index]);
    if (by_frequency) result /= static_cast<A>(count);
    if (sizes != nullptr) {
      const int64_t size = sizes[bag_of[index]];
      result /= static_cast<A>(size < 1 ? 1 : size);
    }
    return result;
  }
};

// A thread per index and column; of equal indices the first one's adds up all gradients.
template <class T, class A>
__global__ void __launch_bounds__(launch_threads)
    sum_rows(uint32_t n, const uint64_t* rows, const uint32_t* positions, Gradients<T> bags, A* result) {
  const int64_t step = int64_t{gridDim.x} * launch_threads, all = n * bags.columns;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < all; i += step) {
    const int64_t column = i % bags.columns;
    const auto first = static_cast<uint32_t>(i / bags.columns);
    const uint64_t row = rows[first];
    if (static_cast<int64_t>(row) == bags.padding || (first > 0 && rows[first - 1] == row)) continue;
    uint32_t end = first + 1;
    while (bags.by_frequency && end < n && rows[end] == row) ++end;
    A sum = A(0);
    for (uint32_t k = first; k < n && rows[k] == row; ++k) {
      const uint32_t index = positions[k];
      sum += static_cast<A>(bags.grad[bags.bag_of[index] * bags.columns + column]) *
             bags.template factor<A>(index, end - first);
    }
    result[row * bags.columns + column] = sum;
  }
}

}  // namespace embedding_bag_sums

void add_bag_gradients(const BagGradients& gradients, const TensorBase& result) {
  using namespace embedding_bag_sums;
  const TensorBase &grad = gradients.grad, &indices = gradients.rows, &sizes = gradients.sizes;
  TORCH_CHECK(indices.numel() <= std::numeric_limits<int32_t>::max(),
              "embedding_bag_backward on CUDA takes up to ", std::numeric_limits<int32_t>::max(),
              " indices, got ", indices.numel());
  const auto n = static_cast<uint32_t>(indices.numel());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  SortedKeys rows(n);
  const Indices checked{indices.const_data_ptr<int64_t>(), gradients.bag_of.const_data_ptr<int64_t>(),
                        result.size(0), grad.size(0), c10::cuda::index_assertion("embedding_bag_backward")};
  make_keys<<<blocks_for(n), launch_threads, 0, stream>>>(checked, n, rows.keys(), rows.positions());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  rows.sort(static_cast<int>(std::bit_width(static_cast<uint64_t>(result.size(0)))));
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    using A = at::acc_type<scalar_t, true>;
    const Gradients<scalar_t> bags{grad.const_data_ptr<scalar_t>(),
                                   data_or_null<scalar_t>(gradients.factors),
                                   checked.bag_of,
                                   sizes.defined() ? sizes.const_data_ptr<int64_t>() : nullptr,
                                   grad.size(1),
                                   gradients.padding,
                                   gradients.by_frequency};
    sum_rows<<<blocks_for(n * bags.columns), launch_threads, 0, stream>>>(n, rows.keys(), rows.positions(),
                                                                          bags, result.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
