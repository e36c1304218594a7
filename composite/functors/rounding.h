// Rounding to whole numbers; integers are returned as they are.
#pragma once

#include <ATen/native/functors/math.h>
#include <ATen/native/functors/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T floor(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::floor(static_cast<opmath<T>>(self)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T ceil(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::ceil(static_cast<opmath<T>>(self)));
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T trunc(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self;
  } else {
    return static_cast<T>(math::trunc(static_cast<opmath<T>>(self)));
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
