// From an element's index to the byte offsets of its operands: divisions by the iteration's sizes, done by
// multiplication.
#pragma once

#include <ATen/TensorIterator.h>

#include <cstdint>

namespace at::native {

constexpr int max_plan_dims = 25;

/// n / divisor for n < 2^31, by the method of Granlund and Montgomery.
struct FastDivider {
  uint32_t divisor = 1, magic = 1, shift = 0;

  FastDivider() = default;
  explicit FastDivider(uint32_t d) : divisor(d) {
    while (shift < 32 && (uint64_t{1} << shift) < d) ++shift;
    magic = static_cast<uint32_t>(((uint64_t{1} << 32) * ((uint64_t{1} << shift) - d)) / d + 1);
  }
  C10_DEVICE uint32_t divide(uint32_t n) const {
#ifdef __CUDA_ARCH__
    return (__umulhi(n, magic) + n) >> shift;
#else
    return n / divisor;
#endif
  }
};

/// Offsets of N operands in an iteration of fewer than 2^31 elements and bytes.
template <int N>
struct OffsetCalculator {
  int dims;
  FastDivider sizes[max_plan_dims];
  uint32_t strides[max_plan_dims][N];

  /// Dimension `second` of the iteration, if it isn't 0, comes after its first.
  explicit OffsetCalculator(const TensorIteratorBase& iter, int second = 0) : dims(iter.ndim()) {
    TORCH_CHECK(dims <= max_plan_dims, "tensors of more than ", max_plan_dims,
                " dimensions that can't be merged are not supported on CUDA, got ", dims);
    for (int d = 0; d < dims; ++d) {
      const int of = d == 0 || d > second ? d : d == 1 ? second : d - 1;
      sizes[d] = FastDivider(static_cast<uint32_t>(iter.shape()[of]));
      for (int arg = 0; arg < N; ++arg) strides[d][arg] = static_cast<uint32_t>(iter.strides(arg)[of]);
    }
  }

  C10_DEVICE void get(uint32_t index, uint32_t (&offsets)[N]) const {
    for (int arg = 0; arg < N; ++arg) offsets[arg] = 0;
    add(index, 0, offsets);
  }
  /// Adds the offsets of an index in the dimensions from `first` on.
  C10_DEVICE void add(uint32_t index, int first, uint32_t (&offsets)[N]) const {
    for (int d = first; d < dims; ++d) {
      uint32_t position = index;  // in the last dimension there is nothing left to divide
      if (d + 1 < dims) {
        const uint32_t quotient = sizes[d].divide(index);
        position = index - quotient * sizes[d].divisor;
        index = quotient;
      }
      for (int arg = 0; arg < N; ++arg) offsets[arg] += position * strides[d][arg];
    }
  }
};

}  // namespace at::native
