// Real sine and cosine for host and device.
#pragma once

#include <ATen/native/functors/host_trig.h>
#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F sin(F x) {
#ifdef __CUDA_ARCH__
  return ::sin(x);
#else
  return host::sin(x);
#endif
}

template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F cos(F x) {
#ifdef __CUDA_ARCH__
  return ::cos(x);
#else
  return host::cos(x);
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
