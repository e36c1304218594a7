// Sliding windows along one axis: the arithmetic that convolutions, im2col and pooling share.
#pragma once

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// The most elements that an axis can have, its padding included. Below it kernels add and multiply
/// positions, steps and strides without checks for overflow.
inline constexpr int64_t max_positions = int64_t{1} << 40;
inline constexpr int64_t max_step = 4 * max_positions;

struct WindowAxis {
  int64_t kernel, stride, padding, dilation;  // kernel, stride, dilation >= 1; padding >= 0

  /// From a window's first element to one past its last. May need more bits than its result.
  __int128 span() const { return static_cast<__int128>(dilation) * (kernel - 1) + 1; }

  /// Strides and dilations larger than the axis all mean the same: no second window, or no second element in
  /// it. They are replaced by one with which kernels can compute.
  void clamp_steps() {
    stride = std::min(stride, max_step);
    dilation = std::min(dilation, max_step);
  }
};

enum class WindowFit { Fits, None, TooMany };

/// The number of windows along `size` elements, if any fit. With ceil_mode the last window may reach beyond
/// the padding, but begins before it.
inline WindowFit fit_windows(int64_t size, const WindowAxis& axis, bool ceil_mode, int64_t* windows) {
  // Guards made from schemas/checks.yaml have rejected these before.
  TORCH_INTERNAL_ASSERT(axis.kernel > 0 && axis.stride > 0 && axis.dilation > 0 && axis.padding >= 0);
  const __int128 span = axis.span(), padded = size + static_cast<__int128>(2) * axis.padding;
  const __int128 slack = padded - span + (ceil_mode ? axis.stride - 1 : 0);
  if (slack < 0) return WindowFit::None;
  if (padded > max_positions) return WindowFit::TooMany;
  *windows = static_cast<int64_t>(slack / axis.stride + 1);
  const bool beyond = ceil_mode && static_cast<__int128>(*windows - 1) * axis.stride >= size + axis.padding;
  *windows -= beyond;
  return *windows > 0 ? WindowFit::Fits : WindowFit::None;
}

}  // namespace at::native
