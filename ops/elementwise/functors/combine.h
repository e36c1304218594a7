// Three operands at once, as optimisers update their parameters: addcmul, addcdiv, lerp; and the squared
// difference with its gradient.
#pragma once

#include <ATen/native/functors/arithmetic.h>
#include <ATen/native/functors/types.h>

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

// From the end that is nearer, so that weights 0 and 1 give the ends themselves.
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

// The weight is one number for all elements.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T lerp_scalar(T self, T end, opmath<T> weight) {
  using O = opmath<T>;
  return static_cast<T>(detail::lerp<O>(static_cast<O>(self), static_cast<O>(end), weight));
}

// (self - target)^2
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T squared_difference(T self, T target) {
  using W = wrapping<T>;
  const W difference = static_cast<W>(self) - static_cast<W>(target);
  return static_cast<T>(difference * difference);
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T squared_difference_backward(T self, T target, T grad, opmath<T> factor) {
  using W = wrapping<T>;
  const W difference = static_cast<W>(self) - static_cast<W>(target);
  return static_cast<T>(static_cast<W>(factor) * difference * static_cast<W>(grad));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
