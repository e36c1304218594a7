// index_put_(accumulate=True) of floats: the indices are sorted by the place they lead to, and the values of
// each place are added in their order, so that a sum's bits are always the same.
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/indexing/index.h>
#include <ATen/native/math/types.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/indexing/index_plan.cuh>
#include <ATen/native/cuda/sorting/sort_pairs.cuh>

#include <bit>

namespace at::native {
namespace index_cuda {

__global__ void __launch_bounds__(launch_threads)
    find_places(uint32_t n, IndexPlan plan, int64_t itemsize, uint64_t* places, uint32_t* positions,
                uint32_t* value_offsets) {
  const uint32_t step = gridDim.x * launch_threads;
  for (uint32_t i = blockIdx.x * launch_threads + threadIdx.x; i < n; i += step) {
    uint32_t offsets[2];
    const int64_t added = locate(plan, i, offsets);
    places[i] = static_cast<uint64_t>((added + offsets[0]) / itemsize);
    positions[i] = i;
    value_offsets[i] = offsets[1];
  }
}

struct SortedPlaces {
  uint32_t count;
  const uint64_t* places;
  const uint32_t *positions, *value_offsets;
};

// A thread per index and element of its slice; of equal places the first one's adds them all up.
template <class T>
__global__ void __launch_bounds__(launch_threads)
    add_slices(SortedPlaces sorted, uint32_t slice, IndexPlan within, T* self, const char* values) {
  const int64_t step = int64_t{gridDim.x} * launch_threads, n = int64_t{sorted.count} * slice;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < n; i += step) {
    const auto first = static_cast<uint32_t>(i / slice);
    const uint64_t place = sorted.places[first];
    if (first > 0 && sorted.places[first - 1] == place) continue;
    uint32_t offsets[2];
    locate(within, static_cast<uint32_t>(i % slice), offsets);
    T* to = reinterpret_cast<T*>(reinterpret_cast<char*>(self + place) + offsets[0]);
    auto sum = static_cast<ufunc::opmath<T>>(*to);
    for (uint32_t k = first; k < sorted.count && sorted.places[k] == place; ++k) {
      const char* from = values + sorted.value_offsets[sorted.positions[k]] + offsets[1];
      sum += static_cast<ufunc::opmath<T>>(*reinterpret_cast<const T*>(from));
    }
    *to = static_cast<T>(sum);
  }
}

// Along the other dimensions every index leads to elements of its own.
bool is_indexed(const TensorIteratorBase& iter, int d) {
  for (int arg = 2; arg < iter.ntensors(); ++arg) {
    if (iter.strides(arg)[d] != 0) return true;
  }
  return iter.strides(0)[d] == 0;
}

// Bits of the largest place.
int place_bits(const TensorIteratorBase& iter, const IndexPlan& plan, int64_t itemsize) {
  int64_t last = 0;
  for (int i = 0; i < plan.indices; ++i) last += (plan.indexed_sizes[i] - 1) * plan.indexed_strides[i];
  for (int d = 0; d < iter.ndim(); ++d) last += (iter.shape()[d] - 1) * iter.strides(0)[d];
  return std::max<int>(static_cast<int>(std::bit_width(static_cast<uint64_t>(last / itemsize))), 1);
}

uint32_t count_of(const IndexPlan& plan) {
  uint32_t count = 1;
  for (int d = 0; d < plan.dims; ++d) count *= plan.sizes[d].divisor;
  return count;
}

template <class T>
void add_in_order(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides, const char* op) {
  if (iter.numel() == 0) return;
  if (!iter.can_use_32bit_indexing()) {
    for (auto& piece : iter.with_32bit_indexing()) add_in_order<T>(piece, sizes, strides, op);
    return;
  }
  const IndexPlan plan = make_plan(iter, sizes, strides, op, [&](int d) { return is_indexed(iter, d); });
  const IndexPlan within = make_plan(iter, {}, {}, op, [&](int d) { return !is_indexed(iter, d); });
  const uint32_t count = count_of(plan);
  SortedKeys places(count);
  const auto value_offsets = c10::cuda::CUDACachingAllocator::get()->allocate(count * sizeof(uint32_t));
  auto* offsets = static_cast<uint32_t*>(value_offsets.get());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  find_places<<<blocks_for(count), launch_threads, 0, stream>>>(count, plan, sizeof(T), places.keys(),
                                                                places.positions(), offsets);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  places.sort(place_bits(iter, plan, sizeof(T)));
  const SortedPlaces sorted{count, places.keys(), places.positions(), offsets};
  add_slices<T><<<blocks_for(iter.numel()), launch_threads, 0, stream>>>(
      sorted, static_cast<uint32_t>(iter.numel() / count), within, static_cast<T*>(iter.data_ptr(0)),
      static_cast<const char*>(iter.data_ptr(1)));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace index_cuda

void index_put_sums(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides, const char* op) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), op, [&] {
    index_cuda::add_in_order<scalar_t>(iter, sizes, strides, op);
  });
}

}  // namespace at::native
