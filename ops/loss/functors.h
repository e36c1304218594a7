// Elementwise losses and their derivatives.
#pragma once

#include <ATen/native/math/math.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// A parabola `below * d^2` of the difference d up to `limit`, a line of slope `above` beyond: huber_loss and
// smooth_l1_loss.
template <class O>
struct SmoothLoss {
  O limit, below, above;
};

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T smooth_loss(T self, T target, const SmoothLoss<opmath<T>>& loss) {
  using O = opmath<T>;
  const O d = math::fabs(static_cast<O>(self) - static_cast<O>(target));
  const O line = loss.above * (d - O(0.5) * loss.limit), parabola = loss.below * d * d;
  return static_cast<T>(d < loss.limit ? parabola : line);
}

// `below` is the second derivative of the parabola here.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T smooth_loss_backward(T self, T target, T grad,
                                                         const SmoothLoss<opmath<T>>& loss) {
  using O = opmath<T>;
  const O d = static_cast<O>(self) - static_cast<O>(target), inside = loss.below * d;
  const O slope = d <= -loss.limit ? -loss.above : d >= loss.limit ? loss.above : inside;
  return static_cast<T>(slope * static_cast<O>(grad));
}

// Logarithms are clamped at -100, so that the loss is finite.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T binary_cross_entropy(T self, T target) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), t = static_cast<O>(target);
  const O yes = math::log(x), no = math::log1p(-x);
  return static_cast<T>((t - O(1)) * (no < O(-100) ? O(-100) : no) - t * (yes < O(-100) ? O(-100) : yes));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T binary_cross_entropy_backward(T self, T target, T grad) {
  using O = opmath<T>;
  const O x = static_cast<O>(self), spread = (O(1) - x) * x;
  const O slope = (x - static_cast<O>(target)) / (spread < O(1e-12) ? O(1e-12) : spread);
  return static_cast<T>(static_cast<O>(grad) * slope);
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
