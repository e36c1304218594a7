// Elements that are only moved: types that stand for all dtypes of one size.
#pragma once

#include <cstdint>

namespace at::native {

template <int size>
struct OpaqueBytes;
template <>
struct alignas(1) OpaqueBytes<1> {
  uint8_t bits;
};
template <>
struct alignas(2) OpaqueBytes<2> {
  uint16_t bits;
};
template <>
struct alignas(4) OpaqueBytes<4> {
  uint32_t bits;
};
template <>
struct alignas(8) OpaqueBytes<8> {
  uint64_t bits;
};
template <>
struct alignas(16) OpaqueBytes<16> {
  uint64_t bits[2];
};

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
