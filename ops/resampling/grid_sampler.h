// grid_sampler: the input positions of a grid's coordinates, shared by the kernels of all devices.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace at::native {

// The enumerators' values in the operators' arguments.
enum class GridSamplerInterpolation : int64_t { Bilinear, Nearest, Bicubic };
enum class GridSamplerPadding : int64_t { Zeros, Border, Reflection };

namespace grid_taps {

/// Taps along each axis of an element of the result.
C10_HOST_DEVICE constexpr int taps_along(GridSamplerInterpolation interpolation) {
  if (interpolation == GridSamplerInterpolation::Bilinear) return 2;
  return interpolation == GridSamplerInterpolation::Nearest ? 1 : 4;
}

}  // namespace grid_taps

struct GridSampling {
  GridSamplerInterpolation interpolation;
  GridSamplerPadding padding;
  bool align_corners;

  int taps() const { return grid_taps::taps_along(interpolation); }
};

// All tensors are contiguous: input [N, C, (D,) H, W], grid [N, (D',) H', W', 2 or 3], output [N, C, (D',)
// H', W'].
using grid_sampler_fn = void (*)(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
                                 const GridSampling& sampling);
DECLARE_DISPATCH(grid_sampler_fn, grid_sampler_stub)
// grad_input, initially zero, is accumulated, and may be undefined; each element of grad_grid is written.
using grid_sampler_backward_fn = void (*)(const TensorBase& grad_input, const TensorBase& grad_grid,
                                          const TensorBase& grad_output, const TensorBase& input,
                                          const TensorBase& grid, const GridSampling& sampling);
DECLARE_DISPATCH(grid_sampler_backward_fn, grid_sampler_backward_stub)

namespace grid_taps {

/// A position along an axis, and its derivative by the grid's coordinate.
template <class T>
struct Position {
  T at, step;
};

template <class T>
C10_HOST_DEVICE inline Position<T> unnormalized(T coordinate, int64_t size, bool align_corners) {
  const T n = static_cast<T>(size);
  if (align_corners) return {(coordinate + 1) / 2 * (n - 1), (n - 1) / 2};
  return {((coordinate + 1) * n - 1) / 2, n / 2};
}

// NaN becomes 0.
template <class T>
C10_HOST_DEVICE inline Position<T> clipped(Position<T> p, int64_t size) {
  const T last = static_cast<T>(size - 1);
  const T at = p.at > 0 ? p.at < last ? p.at : last : T(0);
  return {at, p.at > 0 && p.at < last ? p.step : T(0)};
}

// Reflects between the outermost centers, or between the outer edges.
template <class T>
C10_HOST_DEVICE inline Position<T> reflected(Position<T> p, int64_t size, bool align_corners) {
  const T low = align_corners ? T(0) : T(-0.5);
  const T span = static_cast<T>(align_corners ? size - 1 : size);
  if (span == 0) return {T(0), T(0)};
  const T from_low = p.at - low, distance = from_low < 0 ? -from_low : from_low;
  const T turns = std::floor(distance / span), rest = distance - turns * span;
  const bool back = turns - 2 * std::floor(turns / 2) != 0;
  const T step = (from_low < 0) != back ? -p.step : p.step;
  return clipped<T>({back ? span - rest + low : rest + low, step}, size);
}

template <GridSamplerPadding padding, class T>
C10_HOST_DEVICE inline Position<T> padded(Position<T> p, int64_t size, bool align_corners) {
  if constexpr (padding == GridSamplerPadding::Border) return clipped(p, size);
  if constexpr (padding == GridSamplerPadding::Reflection) return reflected(p, size, align_corners);
  return p;
}

/// The element at an integral position; size where there is none.
template <class T>
C10_HOST_DEVICE inline int32_t element_at(T position, int64_t size) {
  const bool inside = position >= 0 && position < static_cast<T>(size);
  return static_cast<int32_t>(inside ? position : static_cast<T>(size));
}

/// The taps of one axis: up to four elements (the axis' size stands for none), their weights, and the
/// weights' derivatives by the grid's coordinate.
template <class T>
struct Taps {
  int32_t index[4];
  T weight[4], slope[4];
};

template <GridSamplerInterpolation interpolation, GridSamplerPadding padding, class T>
C10_HOST_DEVICE inline Taps<T> taps_of(T coordinate, int64_t size, bool align_corners) {
  Taps<T> taps;
  Position<T> p = unnormalized(coordinate, size, align_corners);
  if constexpr (interpolation == GridSamplerInterpolation::Bicubic) {
    const T low = std::floor(p.at), x = p.at - low, a = T(-0.75);
    const T weight[4] = {((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a,
                         ((a + 2) * x - (a + 3)) * x * x + 1,
                         ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1,
                         ((a * (2 - x) - 5 * a) * (2 - x) + 8 * a) * (2 - x) - 4 * a};
    const T slope[4] = {(3 * a * (x + 1) - 10 * a) * (x + 1) + 8 * a, (3 * (a + 2) * x - 2 * (a + 3)) * x,
                        -(3 * (a + 2) * (1 - x) - 2 * (a + 3)) * (1 - x),
                        -((3 * a * (2 - x) - 10 * a) * (2 - x) + 8 * a)};
    for (int k = 0; k < 4; ++k) {
      const Position<T> tap =
          padded<padding>(Position<T>{low + static_cast<T>(k - 1), T(0)}, size, align_corners);
      taps.index[k] = element_at(std::floor(tap.at), size);
      taps.weight[k] = weight[k];
      taps.slope[k] = slope[k] * p.step;
    }
    return taps;
  }
  p = padded<padding>(p, size, align_corners);
  if constexpr (interpolation == GridSamplerInterpolation::Nearest) {
    taps.index[0] = element_at(std::nearbyint(p.at), size);
    taps.weight[0] = T(1);
    taps.slope[0] = T(0);
  } else {
    const T low = std::floor(p.at), part = p.at - low;
    for (int k = 0; k < 2; ++k) {
      taps.index[k] = element_at(low + static_cast<T>(k), size);
      taps.weight[k] = k == 0 ? 1 - part : part;
      taps.slope[k] = k == 0 ? -p.step : p.step;
    }
  }
  return taps;
}

/// Calls f with interpolation and padding as constants.
template <class F>
void with_constants(const GridSampling& sampling, const F& f) {
  using I = GridSamplerInterpolation;
  using P = GridSamplerPadding;
  const auto with_padding = [&](auto padding) {
    switch (sampling.interpolation) {
      case I::Bilinear:
        return f(std::integral_constant<I, I::Bilinear>(), padding);
      case I::Nearest:
        return f(std::integral_constant<I, I::Nearest>(), padding);
      default:
        return f(std::integral_constant<I, I::Bicubic>(), padding);
    }
  };
  switch (sampling.padding) {
    case P::Zeros:
      return with_padding(std::integral_constant<P, P::Zeros>());
    case P::Border:
      return with_padding(std::integral_constant<P, P::Border>());
    default:
      return with_padding(std::integral_constant<P, P::Reflection>());
  }
}

}  // namespace grid_taps

}  // namespace at::native
