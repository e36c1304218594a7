// Functors of three operands: addcmul, addcdiv, lerp.
#pragma once

#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// self + value * tensor1 * tensor2
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T addcmul(T self, T tensor1, T tensor2, opmath<T> value) {
  using W = wrapping<T>;
  const W product = static_cast<W>(value) * static_cast<W>(tensor1) * static_cast<W>(tensor2);
  return static_cast<T>(static_cast<W>(self) + product);
}

// self + value * tensor1 / tensor2
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T addcdiv(T self, T tensor1, T tensor2, opmath<T> value) {
  using O = opmath<T>;
  return static_cast<T>(static_cast<O>(self) + value * static_cast<O>(tensor1) / static_cast<O>(tensor2));
}

namespace detail {

template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool below_half(O weight) {
  if constexpr (is_complex<O>) {
    return weight.real() * weight.real() + weight.imag() * weight.imag() < real_of<O>(0.25);
  } else {
    return (weight < O(0.5)) & (weight > O(-0.5));
  }
}

// Computed from the nearer end, so that weights 0 and 1 give the ends exactly.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O lerp(O self, O end, O weight) {
  const O difference = end - self;
  const O from_self = self + weight * difference;
  const O from_end = end - difference * (O(1) - weight);
  return below_half(weight) ? from_self : from_end;
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lerp(T self, T end, T weight) {
  using O = opmath<T>;
  return static_cast<T>(detail::lerp<O>(static_cast<O>(self), static_cast<O>(end), static_cast<O>(weight)));
}

// The weight is one scalar for all elements.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lerp_scalar(T self, T end, opmath<T> weight) {
  using O = opmath<T>;
  return static_cast<T>(detail::lerp<O>(static_cast<O>(self), static_cast<O>(end), weight));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
