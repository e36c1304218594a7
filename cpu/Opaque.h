// Elements that are only moved: types that stand for all dtypes of one size.
#pragma once

#include <cstdint>

namespace at::native {

struct Bytes16 {
  uint64_t half[2];
};

/// Calls f with a value of the type of that size.
template <class F>
void with_opaque_type(int64_t itemsize, const F& f) {
  switch (itemsize) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    default:
      return f(Bytes16());
  }
}

}  // namespace at::native
