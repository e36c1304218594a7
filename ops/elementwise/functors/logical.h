// Logical operators: operands of any type, true where nonzero (NaN is true); bool results.
#pragma once

#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool truth(T x) {
  return static_cast<opmath<T>>(x) != opmath<T>(0);
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool logical_and(T self, T other) {
  return detail::truth(self) & detail::truth(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool logical_or(T self, T other) {
  return detail::truth(self) | detail::truth(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool logical_xor(T self, T other) {
  return detail::truth(self) != detail::truth(other);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool logical_not(T self) {
  return !detail::truth(self);
}

#ifndef __CUDACC__
template <>
inline constexpr bool ignores_sign<"logical_and"> = true;
template <>
inline constexpr bool ignores_sign<"logical_or"> = true;
template <>
inline constexpr bool ignores_sign<"logical_xor"> = true;
template <>
inline constexpr bool ignores_sign<"logical_not"> = true;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
