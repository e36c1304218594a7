// Integer arithmetic with defined overflow.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cstddef>
#include <cstdint>

namespace c10::inline C10_ABI {

/// *out = a + b (wrapped around); true on overflow.
template <class T>
C10_ALWAYS_INLINE bool add_overflows(T a, T b, T* out) {
  return __builtin_add_overflow(a, b, out);
}
template <class T>
C10_ALWAYS_INLINE bool sub_overflows(T a, T b, T* out) {
  return __builtin_sub_overflow(a, b, out);
}
template <class T>
C10_ALWAYS_INLINE bool mul_overflows(T a, T b, T* out) {
  return __builtin_mul_overflow(a, b, out);
}

/// a + b and a * b modulo 2^64: for strides, which may be anything in a dimension of size 1.
inline int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// The product of all elements (1 for none); true on overflow. A zero among them makes the product 0 without
/// overflow.
template <class Range>
bool safe_multiplies_u64(const Range& range, uint64_t* out) {
  uint64_t product = 1;
  bool overflow = false, zero = false;
  for (const auto& value : range) {
    zero |= value == 0;
    overflow |= mul_overflows(product, static_cast<uint64_t>(value), &product);
  }
  *out = zero ? 0 : product;
  return overflow && !zero;
}

}  // namespace c10::inline C10_ABI
