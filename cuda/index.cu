// index and index_put on CUDA: every element's offset into the indexed tensor comes from its index operands.
// The elements are opaque bytes but where they are added up.
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cuda/Opaque.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/OffsetCalculator.cuh>

namespace at::native {
namespace index_cuda {

constexpr int threads = 256;
constexpr int max_indices = 12;

// The plan, with as many operands as there are: the two that are copied between, then the indices.
struct IndexPlan {
  int dims, indices;
  FastDivider sizes[max_plan_dims];
  uint32_t strides[max_plan_dims][2];
  uint32_t index_strides[max_plan_dims][max_indices];
  const char* index_data[max_indices];
  int64_t indexed_sizes[max_indices];
  int64_t indexed_strides[max_indices];  // bytes
};

IndexPlan make_plan(const TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides) {
  IndexPlan plan{};
  plan.dims = iter.ndim();
  plan.indices = static_cast<int>(indexed_sizes.size());
  TORCH_CHECK(plan.dims <= max_plan_dims && plan.indices <= max_indices, "indexing on CUDA takes up to ",
              max_indices, " index tensors and ", max_plan_dims, " dimensions, got ", plan.indices, " and ",
              plan.dims);
  for (int d = 0; d < plan.dims; ++d) {
    plan.sizes[d] = FastDivider(static_cast<uint32_t>(iter.shape()[d]));
    for (int arg = 0; arg < 2; ++arg) plan.strides[d][arg] = static_cast<uint32_t>(iter.strides(arg)[d]);
    for (int i = 0; i < plan.indices; ++i) {
      plan.index_strides[d][i] = static_cast<uint32_t>(iter.strides(2 + i)[d]);
    }
  }
  for (int i = 0; i < plan.indices; ++i) {
    plan.index_data[i] = static_cast<const char*>(iter.data_ptr(2 + i));
    plan.indexed_sizes[i] = indexed_sizes[i];
    plan.indexed_strides[i] = indexed_strides[i];
  }
  return plan;
}

// Offsets of the two operands of element `number`, and what the indices add to that of the indexed one.
__device__ inline int64_t locate(const IndexPlan& plan, uint32_t number, uint32_t (&offsets)[2]) {
  uint32_t index_offsets[max_indices] = {};
  offsets[0] = offsets[1] = 0;
  for (int d = 0; d < plan.dims; ++d) {
    uint32_t position = number;
    if (d + 1 < plan.dims) {
      const uint32_t quotient = plan.sizes[d].divide(number);
      position = number - quotient * plan.sizes[d].divisor;
      number = quotient;
    }
    offsets[0] += position * plan.strides[d][0];
    offsets[1] += position * plan.strides[d][1];
#pragma unroll
    for (int i = 0; i < max_indices; ++i) {
      if (i < plan.indices) index_offsets[i] += position * plan.index_strides[d][i];
    }
  }
  int64_t added = 0;
#pragma unroll
  for (int i = 0; i < max_indices; ++i) {
    if (i < plan.indices) {
      const int64_t index = *reinterpret_cast<const int64_t*>(plan.index_data[i] + index_offsets[i]);
      const int64_t size = plan.indexed_sizes[i];
      CUDA_KERNEL_ASSERT(index >= -size && index < size);
      added += (index < 0 ? index + size : index) * plan.indexed_strides[i];
    }
  }
  return added;
}

template <class T>
struct Take {
  __device__ void operator()(char* out, const char* src, int64_t added) const {
    *reinterpret_cast<T*>(out) = *reinterpret_cast<const T*>(src + added);
  }
};
template <class T>
struct Put {
  __device__ void operator()(char* self, const char* value, int64_t added) const {
    *reinterpret_cast<T*>(self + added) = *reinterpret_cast<const T*>(value);
  }
};
// Several threads may add to one element; of floats the order, and with it the rounding, is not fixed.
template <class T>
struct Accumulate {
  __device__ void operator()(char* self, const char* value, int64_t added) const {
    atomic_add(reinterpret_cast<T*>(self + added), *reinterpret_cast<const T*>(value));
  }
};

template <class F>
__global__ void __launch_bounds__(threads)
    index_elements(uint32_t n, F f, char* first, char* second, IndexPlan plan) {
  const uint32_t number = blockIdx.x * threads + threadIdx.x;
  if (number >= n) return;
  uint32_t offsets[2];
  const int64_t added = locate(plan, number, offsets);
  f(first + offsets[0], second + offsets[1], added);
}

template <class F>
void launch(TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides, const F& f) {
  if (iter.numel() == 0) return;
  if (!iter.can_use_32bit_indexing()) {
    for (auto& piece : iter.with_32bit_indexing()) launch(piece, indexed_sizes, indexed_strides, f);
    return;
  }
  const auto n = static_cast<uint32_t>(iter.numel());
  index_elements<<<(n + threads - 1) / threads, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      n, f, static_cast<char*>(iter.data_ptr(0)), static_cast<char*>(iter.data_ptr(1)),
      make_plan(iter, indexed_sizes, indexed_strides));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void index_kernel(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides) {
  with_opaque_type(iter.element_size(0), [&]<class T>(T) { launch(iter, sizes, strides, Take<T>()); });
}

void index_put_kernel(TensorIterator& iter, IntArrayRef sizes, IntArrayRef strides, bool accumulate) {
  if (!accumulate) {
    with_opaque_type(iter.element_size(0), [&]<class T>(T) { launch(iter, sizes, strides, Put<T>()); });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, iter.dtype(), "index_put_",
                                         [&] { launch(iter, sizes, strides, Accumulate<scalar_t>()); });
}

}  // namespace index_cuda

REGISTER_CUDA_DISPATCH(index_stub, &index_cuda::index_kernel)
REGISTER_CUDA_DISPATCH(index_put_stub, &index_cuda::index_put_kernel)

}  // namespace at::native
