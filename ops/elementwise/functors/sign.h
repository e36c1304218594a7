// sign, sgn, signbit, copysign, heaviside and conj.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// -1, 0 or 1; 0 for NaN.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sign(T self) {
  if constexpr (std::is_same_v<T, bool>) {
    return self;
  } else {
    using O = opmath<T>;
    const O x = static_cast<O>(self);
    return static_cast<T>((x > O(0) ? O(1) : O(0)) - (x < O(0) ? O(1) : O(0)));
  }
}

// self / |self|, 0 at 0; for a real number its sign.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T sgn(T self) {
  if constexpr (is_complex<T>) {
    const auto size = math::hypot(self.real(), self.imag());
    return size == 0 ? T(0) : T(self.real() / size, self.imag() / size);
  } else {
    return sign<T>(self);
  }
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T conj(T self) {
  return T(self.real(), -self.imag());
}

// Whether the sign bit is set; of integers, whether they are negative.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool signbit(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self < T(0);
  } else {
    using O = opmath<T>;
    return math::copysign(O(1), static_cast<O>(self)) < O(0);
  }
}

// self with the sign of other.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE by_bits<T> copysign(T self, T other) {
  if constexpr (is_half<T>) {
    return half_of_bits<T>((self.x & 0x7fff) | (other.x & 0x8000));
  } else {
    return math::copysign(self, other);
  }
}

// 0 below zero, `values` at zero, 1 above.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T heaviside(T self, T values) {
  using O = opmath<T>;
  const O x = static_cast<O>(self);
  const T step = static_cast<T>(x > O(0) ? O(1) : O(0));
  return x == O(0) ? values : step;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
