// Real sine, cosine and tangent for host and device.
#pragma once

#include <ATen/native/math/host_trig.h>
#include <c10/macros/Macros.h>

namespace at::native::math {
inline namespace CPU_CAPABILITY {

#ifdef __CUDA_ARCH__
#define AT_MATH(name) ::name
#else
#define AT_MATH(name) host::name
#endif
#define AT_MATH_UNARY(name)                       \
  template <class F>                              \
  C10_HOST_DEVICE C10_ALWAYS_INLINE F name(F x) { \
    return AT_MATH(name)(x);                      \
  }

AT_MATH_UNARY(sin)
AT_MATH_UNARY(cos)
AT_MATH_UNARY(tan)

#undef AT_MATH
#undef AT_MATH_UNARY

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math
