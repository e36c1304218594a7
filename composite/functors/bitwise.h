// Bitwise operators on integers and bool.
#pragma once

#include <ATen/native/functors/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T bitwise_and(T self, T other) {
  return static_cast<T>(self & other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T bitwise_or(T self, T other) {
  return static_cast<T>(self | other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T bitwise_xor(T self, T other) {
  return static_cast<T>(self ^ other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T bitwise_not(T self) {
  if constexpr (std::is_same_v<T, bool>) {
    return !self;
  } else {
    return static_cast<T>(~self);
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
