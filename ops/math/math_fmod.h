// fmod for host and device, exact.
#pragma once

#include <ATen/native/math/host_fmod.h>
#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

template <class F>
C10_HOST_DEVICE C10_ALWAYS_INLINE F fmod(F x, F y) {
#ifdef __CUDA_ARCH__
  return ::fmod(x, y);
#else
  return host::fmod(x, y);
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
