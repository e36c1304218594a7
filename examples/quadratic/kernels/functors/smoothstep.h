// The functor of quadratic::smoothstep; opgen generates the loops for every dtype and CPU capability.
#pragma once
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// 3x^2 - 2x^3 for x in [0, 1], constant outside.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T smoothstep(T self) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  const O clamped = x < O(0) ? O(0) : x > O(1) ? O(1) : x;
  return static_cast<T>(clamped * clamped * (O(3) - O(2) * clamped));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
