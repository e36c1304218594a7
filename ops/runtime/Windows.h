// Windows that slide along one axis: the one arithmetic of convolutions, im2col and poolings.
#pragma once

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// More elements than this an axis cannot have, its padding included. Kernels add and multiply positions,
/// steps and strides below it without looking for overflow.
inline constexpr int64_t kMostPositions = int64_t{1} << 40;
inline constexpr int64_t kMostStep = 4 * kMostPositions;

struct WindowAxis {
  int64_t kernel, stride, padding, dilation;  // kernel, stride, dilation >= 1; padding >= 0

  /// From a window's first element to the one behind its last. Of more bits than its result may need.
  __int128 span() const { return static_cast<__int128>(dilation) * (kernel - 1) + 1; }

  /// Larger strides and dilations than an axis is long all mean the same: no second window, or no second
  /// element in it. They are replaced by one with which kernels can compute.
  void clamp_steps() {
    stride = std::min(stride, kMostStep);
    dilation = std::min(dilation, kMostStep);
  }
};

enum class WindowFit { fits, none, too_many };

/// Whether windows fit along `size` elements, and how many. With ceil_mode the last window may reach
/// beyond the padding, but begins before it.
inline WindowFit fit_windows(int64_t size, const WindowAxis& axis, bool ceil_mode, int64_t* windows) {
  // Guards made from schemas/checks.yaml have told users of these before.
  TORCH_INTERNAL_ASSERT(axis.kernel > 0 && axis.stride > 0 && axis.dilation > 0 && axis.padding >= 0);
  const __int128 span = axis.span(), padded = size + static_cast<__int128>(2) * axis.padding;
  const __int128 room = padded - span + (ceil_mode ? axis.stride - 1 : 0);
  if (room < 0) return WindowFit::none;
  if (padded > kMostPositions) return WindowFit::too_many;
  *windows = static_cast<int64_t>(room / axis.stride + 1);
  const bool beyond = ceil_mode && static_cast<__int128>(*windows - 1) * axis.stride >= size + axis.padding;
  *windows -= beyond;
  return *windows > 0 ? WindowFit::fits : WindowFit::none;
}

}  // namespace at::native
