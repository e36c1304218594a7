// Walking a shape two dimensions at a time, from and to any element.
#pragma once

#include <ATen/TensorIterator.h>

#include <array>

namespace at::inline C10_ABI {

// The index of an element in a shape whose dimension 0 is the fastest.
struct TORCH_API DimCounter {
  DimCounter(IntArrayRef shape, Range range);

  void increment(const std::array<int64_t, 2>& step);
  bool is_done() const { return offset >= range.end; }
  // The largest rectangle in dimensions 0 and 1 that begins here and stays within the range.
  std::array<int64_t, 2> max_2d_step() const;

  IntArrayRef shape;
  Range range;
  DimVector values;
  int64_t offset;
};

namespace internal {

inline void get_data_ptrs(char** ptrs, ArrayRef<char*> base, IntArrayRef strides, IntArrayRef counter) {
  const size_t ntensors = base.size();
  for (size_t arg = 0; arg < ntensors; arg++) {
    ptrs[arg] = base[arg];
  }
  for (size_t dim = 0; dim < counter.size(); dim++) {
    for (size_t arg = 0; arg < ntensors; arg++) {
      ptrs[arg] += counter[dim] * strides[dim * ntensors + arg];
    }
  }
}

// Runs `loop` over the elements [range.begin, range.end) of `shape`. strides: ntensors for each of max(2,
// ndim) dimensions.
TORCH_API void serial_for_each(IntArrayRef shape, IntArrayRef strides, char** base_ptrs, size_t ntensors,
                               TensorIteratorBase::loop2d_t loop, Range range);

}  // namespace internal
}  // namespace at::inline C10_ABI
