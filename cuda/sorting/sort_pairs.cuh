// CUB's radix sort of keys with their positions.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// Sorts by the lowest `bits` of the keys; equal ones stay in their order.
template <class K>
void sort_pairs(cub::DoubleBuffer<K>& keys, cub::DoubleBuffer<uint32_t>& positions, uint32_t count,
                int bits) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  size_t bytes = 0;
  C10_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, positions, count, 0, bits, stream));
  const c10::DataPtr memory = c10::GetAllocator(c10::DeviceType::CUDA)->allocate(std::max<size_t>(bytes, 1));
  C10_CUDA_CHECK(
      cub::DeviceRadixSort::SortPairs(memory.get(), bytes, keys, positions, count, 0, bits, stream));
}

/// Keys with their positions, in memory of the current stream. Both are written to the current buffers, and
/// sorted.
class SortedKeys {
 public:
  explicit SortedKeys(uint32_t count)
      : SortedKeys(count, (size_t{count} + 63) / 64 * 64, c10::GetAllocator(c10::DeviceType::CUDA)) {}

  uint32_t count() const { return count_; }
  uint64_t* keys() { return keys_.Current(); }
  uint32_t* positions() { return positions_.Current(); }
  void sort(int bits) { sort_pairs(keys_, positions_, count_, bits); }

 private:
  SortedKeys(uint32_t count, size_t capacity, c10::Allocator* allocator)
      : count_(count),
        key_memory_(allocator->allocate(2 * capacity * sizeof(uint64_t))),
        position_memory_(allocator->allocate(2 * capacity * sizeof(uint32_t))),
        keys_(halves<uint64_t>(key_memory_, capacity)),
        positions_(halves<uint32_t>(position_memory_, capacity)) {}

  template <class T>
  static cub::DoubleBuffer<T> halves(const c10::DataPtr& memory, size_t capacity) {
    T* first = static_cast<T*>(memory.get());
    return {first, first + capacity};
  }

  uint32_t count_;
  c10::DataPtr key_memory_, position_memory_;
  cub::DoubleBuffer<uint64_t> keys_;
  cub::DoubleBuffer<uint32_t> positions_;
};

}  // namespace at::native
