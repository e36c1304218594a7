// Bitwise operators on integers and bool.
#pragma once

#include <ATen/native/math/types.h>

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

// Shifts by a negative amount or by all bits leave only the sign.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lshift(T self, T other) {
  using U = std::make_unsigned_t<T>;
  constexpr int width = static_cast<int>(sizeof(T) * 8);
  const bool all = (other < T(0)) | (other >= T(width));
  const T by = all ? T(0) : other;
  return all ? T(0) : static_cast<T>(static_cast<U>(self) << by);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T rshift(T self, T other) {
  constexpr int last = static_cast<int>(sizeof(T) * 8) - (std::is_signed_v<T> ? 1 : 0);
  const bool all = (other < T(0)) | (other >= T(last));
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(self >> (all ? T(last) : other));
  } else {
    return all ? T(0) : static_cast<T>(self >> (all ? T(0) : other));
  }
}

#ifndef __CUDACC__
template <>
inline constexpr bool ignores_sign<"bitwise_and"> = true;
template <>
inline constexpr bool ignores_sign<"bitwise_or"> = true;
template <>
inline constexpr bool ignores_sign<"bitwise_xor"> = true;
template <>
inline constexpr bool ignores_sign<"bitwise_not"> = true;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
