// The functor of halving::mean_with.
#pragma once
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T mean_with(T self, T other) {
  return (self + other) / T(2);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
