// From an element's number in an iteration with indices to the offsets of its operands, and of what it
// indexes.
#pragma once

#include <ATen/TensorIterator.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

namespace at::native::index_cuda {

constexpr int max_indices = 12;

// The iteration, with its actual number of operands: source and destination, then the indices.
struct IndexPlan {
  int dims, indices;
  FastDivider sizes[max_plan_dims];
  uint32_t strides[max_plan_dims][2];
  uint32_t index_strides[max_plan_dims][max_indices];
  const char* index_data[max_indices];
  int64_t indexed_sizes[max_indices];
  int64_t indexed_strides[max_indices];  // bytes
  c10::cuda::KernelAssertion in_bounds;
};

/// The iteration along the dimensions for which `takes` is true.
template <class Takes>
IndexPlan make_plan(const TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides,
                    const char* op, const Takes& takes) {
  IndexPlan plan{};
  plan.in_bounds = c10::cuda::index_assertion(op);
  plan.indices = static_cast<int>(indexed_sizes.size());
  TORCH_CHECK(iter.ndim() <= max_plan_dims && plan.indices <= max_indices, "indexing on CUDA takes up to ",
              max_indices, " index tensors and ", max_plan_dims, " dimensions, got ", plan.indices, " and ",
              iter.ndim());
  for (int d = 0; d < iter.ndim(); ++d) {
    if (!takes(d)) continue;
    const int to = plan.dims++;
    plan.sizes[to] = FastDivider(static_cast<uint32_t>(iter.shape()[d]));
    for (int arg = 0; arg < 2; ++arg) plan.strides[to][arg] = static_cast<uint32_t>(iter.strides(arg)[d]);
    for (int i = 0; i < plan.indices; ++i) {
      plan.index_strides[to][i] = static_cast<uint32_t>(iter.strides(2 + i)[d]);
    }
  }
  for (int i = 0; i < plan.indices; ++i) {
    plan.index_data[i] = static_cast<const char*>(iter.data_ptr(2 + i));
    plan.indexed_sizes[i] = indexed_sizes[i];
    plan.indexed_strides[i] = indexed_strides[i];
  }
  return plan;
}

// Offsets of the two operands of element `number`, and the indices' contribution to that of the indexed one.
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
      plan.in_bounds(index >= -size && index < size, index, size);
      added += (index < 0 ? index + size : index) * plan.indexed_strides[i];
    }
  }
  return added;
}

}  // namespace at::native::index_cuda
