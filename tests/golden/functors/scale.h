// The functors of scale.out: one for bool, one for every other dtype.
#pragma once
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T scale_bool(T self, T other, T alpha) {
  return self && other && alpha;
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T scale(T self, T other, opmath<T> alpha) {
  return static_cast<T>(opmath<T>(self) * opmath<T>(other) * alpha);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
