// Elements that are only moved: one type for all dtypes of a size.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {

template <int size>
struct BytesOf;
template <>
struct BytesOf<1> {
  using type = uint8_t;
};
template <>
struct BytesOf<2> {
  using type = uint16_t;
};
template <>
struct BytesOf<4> {
  using type = uint32_t;
};
template <>
struct BytesOf<8> {
  using type = uint64_t;
};
template <>
struct BytesOf<16> {
  struct type {
    uint64_t half[2];
  };
};

#ifdef __CUDACC__
// No numbers, which loops on CUDA would convert, and aligned, so that one instruction moves each.
template <int size>
struct alignas(size) OpaqueBytes {
  typename BytesOf<size>::type bits;
};
#else
// Integers, whose moves compilers for CPUs vectorise.
template <int size>
using OpaqueBytes = typename BytesOf<size>::type;
#endif

/// Calls f with a value of the opaque type of that size.
template <class F>
void with_opaque_type(int64_t itemsize, const F& f) {
  switch (itemsize) {
    case 1:
      return f(OpaqueBytes<1>());
    case 2:
      return f(OpaqueBytes<2>());
    case 4:
      return f(OpaqueBytes<4>());
    case 8:
      return f(OpaqueBytes<8>());
    default:
      return f(OpaqueBytes<16>());
  }
}

}  // namespace at::native
