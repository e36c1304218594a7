// grid_sampler and its gradients: for some points of the grid at a time, the elements that each is made of
// are found once and serve all channels.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/GridSampler.h>
#include <ATen/native/functors/types.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t points_at_once = 64;
constexpr int max_axes = 3, max_taps = 16;

// Sizes of the problem, whatever the dtype.
struct Shape {
  int axes;
  int64_t batch, channels, points, plane;  // points of the output and elements of the input in a channel
  int64_t size[max_axes];                  // of the input, in the order of the grid's coordinates: x, y, z

  Shape(const TensorBase& input, const TensorBase& grid)
      : axes(static_cast<int>(input.dim()) - 2), batch(input.sizes()[0]), channels(input.sizes()[1]) {
    points = 1;
    plane = 1;
    for (int a = 0; a < axes; ++a) {
      points *= grid.sizes()[a + 1];
      size[a] = input.sizes()[axes + 1 - a];
      plane *= size[a];
    }
  }
};

template <class A>
struct AxisTaps {
  int32_t index[4][points_at_once];
  A weight[4][points_at_once], slope[4][points_at_once];
};

// The elements that `n` points are made of, by their offsets in a channel; -1 where there is none.
template <class A>
struct PointTaps {
  int64_t n;
  int taps;
  int32_t offset[max_taps][points_at_once];
  A weight[max_taps][points_at_once];
  A slope[max_axes][max_taps][points_at_once];
};

template <class A, class T>
void find_axis_taps(AxisTaps<A>& axis, const T* coordinates, int64_t n, int stride, int64_t size,
                    const GridSampling& sampling) {
  grid_taps::with_constants(sampling, [&](auto interpolation, auto padding) {
    for (int64_t p = 0; p < n; ++p) {
      const auto taps = grid_taps::taps_of<interpolation.value, padding.value>(
          static_cast<A>(coordinates[p * stride]), size, sampling.align_corners);
      constexpr int count = interpolation.value == GridSamplerInterpolation::Bilinear  ? 2
                            : interpolation.value == GridSamplerInterpolation::Nearest ? 1
                                                                                       : 4;
      for (int k = 0; k < count; ++k) {
        axis.index[k][p] = taps.index[k];
        axis.weight[k][p] = taps.weight[k];
        axis.slope[k][p] = taps.slope[k];
      }
    }
  });
}

// One combination of taps: `choice` of each axis.
template <class A>
void combine(PointTaps<A>& points, int tap, const AxisTaps<A>* axes, const int* choice, const Shape& shape,
             bool with_slopes) {
  const int64_t n = points.n;
  for (int64_t p = 0; p < n; ++p) {
    int32_t offset = 0;
    bool inside = true;
    A weight = 1;
    for (int a = shape.axes - 1; a >= 0; --a) {
      const int32_t index = axes[a].index[choice[a]][p];
      inside &= index < static_cast<int32_t>(shape.size[a]);
      offset = offset * static_cast<int32_t>(shape.size[a]) + index;
      weight *= axes[a].weight[choice[a]][p];
    }
    points.offset[tap][p] = inside ? offset : -1;
    points.weight[tap][p] = weight;
  }
  for (int along = 0; along < shape.axes && with_slopes; ++along) {
    for (int64_t p = 0; p < n; ++p) {
      A slope = axes[along].slope[choice[along]][p];
      for (int a = 0; a < shape.axes; ++a) slope *= a == along ? A(1) : axes[a].weight[choice[a]][p];
      points.slope[along][tap][p] = slope;
    }
  }
}

template <class A, class T>
void find_taps(PointTaps<A>& points, const T* grid, int64_t n, const Shape& shape,
               const GridSampling& sampling, bool with_slopes) {
  AxisTaps<A> axes[max_axes];
  for (int a = 0; a < shape.axes; ++a) {
    find_axis_taps(axes[a], grid + a, n, shape.axes, shape.size[a], sampling);
  }
  points.n = n;
  points.taps = 1;
  for (int a = 0; a < shape.axes; ++a) points.taps *= sampling.taps();
  for (int tap = 0; tap < points.taps; ++tap) {
    int choice[max_axes], rest = tap;
    for (int a = 0; a < shape.axes; ++a) {
      choice[a] = rest % sampling.taps();
      rest /= sampling.taps();
    }
    combine(points, tap, axes, choice, shape, with_slopes);
  }
}

// The values of a tap; zeros beside the input.
template <class A, class T>
C10_ALWAYS_INLINE A value_at(const T* channel, int32_t offset) {
  const A value = static_cast<A>(channel[offset < 0 ? 0 : offset]);
  return offset < 0 ? A(0) : value;
}

template <class A, class T>
void sample(const PointTaps<A>& points, const T* channel, T* out) {
  A sum[points_at_once] = {};
  for (int tap = 0; tap < points.taps; ++tap) {
    const int32_t* offset = points.offset[tap];
    const A* weight = points.weight[tap];
    for (int64_t p = 0; p < points.n; ++p) sum[p] += value_at<A>(channel, offset[p]) * weight[p];
  }
  for (int64_t p = 0; p < points.n; ++p) out[p] = static_cast<T>(sum[p]);
}

template <class T>
void sample_all(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
                const GridSampling& sampling) {
  using A = ufunc::opmath<T>;
  const Shape shape(input, grid);
  const T* const in = input.const_data_ptr<T>();
  const T* const coordinates = grid.const_data_ptr<T>();
  T* const out = output.mutable_data_ptr<T>();
  const int64_t pieces = at::divup(shape.points, points_at_once);
  const int64_t work = points_at_once * std::max<int64_t>(shape.channels, 1) * 4;
  at::parallel_for(0, shape.batch * pieces, std::max<int64_t>(1, at::internal::GRAIN_SIZE / work),
                   [&](int64_t first, int64_t last) {
                     PointTaps<A> points;
                     for (int64_t i = first; i < last; ++i) {
                       const int64_t item = i / pieces, begin = i % pieces * points_at_once;
                       const int64_t n = std::min(points_at_once, shape.points - begin);
                       find_taps(points, coordinates + (item * shape.points + begin) * shape.axes, n, shape,
                                 sampling, false);
                       for (int64_t c = 0; c < shape.channels; ++c) {
                         const int64_t channel = item * shape.channels + c;
                         sample(points, in + channel * shape.plane, out + channel * shape.points + begin);
                       }
                     }
                   });
}

// -------------------- gradients

template <class A, class T>
void spread(const PointTaps<A>& points, const T* grad, A* channel) {
  for (int tap = 0; tap < points.taps; ++tap) {
    for (int64_t p = 0; p < points.n; ++p) {
      const int32_t offset = points.offset[tap][p];
      if (offset >= 0) channel[offset] += points.weight[tap][p] * static_cast<A>(grad[p]);
    }
  }
}

template <class A, class T>
void add_slopes(const PointTaps<A>& points, int axes, const T* channel, const T* grad,
                A (*sum)[points_at_once]) {
  for (int tap = 0; tap < points.taps; ++tap) {
    A value[points_at_once];
    for (int64_t p = 0; p < points.n; ++p) {
      value[p] = value_at<A>(channel, points.offset[tap][p]) * static_cast<A>(grad[p]);
    }
    for (int a = 0; a < axes; ++a) {
      for (int64_t p = 0; p < points.n; ++p) sum[a][p] += value[p] * points.slope[a][tap][p];
    }
  }
}

// Of one item of the batch. `planes`: where the gradient of its channels is added up, if it is wanted.
template <class A, class T>
void gradients_of_item(const Shape& shape, const GridSampling& sampling, const T* grad, const T* in,
                       const T* coordinates, A* planes, T* grad_grid) {
  PointTaps<A> points;
  for (int64_t begin = 0; begin < shape.points; begin += points_at_once) {
    const int64_t n = std::min(points_at_once, shape.points - begin);
    find_taps(points, coordinates + begin * shape.axes, n, shape, sampling, true);
    A sum[max_axes][points_at_once] = {};
    for (int64_t c = 0; c < shape.channels; ++c) {
      const T* of_channel = grad + c * shape.points + begin;
      if (planes != nullptr) spread(points, of_channel, planes + c * shape.plane);
      if (sampling.interpolation != GridSamplerInterpolation::Nearest) {
        add_slopes(points, shape.axes, in + c * shape.plane, of_channel, sum);
      }
    }
    for (int64_t p = 0; p < n; ++p) {
      for (int a = 0; a < shape.axes; ++a) {
        grad_grid[(begin + p) * shape.axes + a] = static_cast<T>(sum[a][p]);
      }
    }
  }
}

template <class T>
void find_gradients(const TensorBase& grad_input, const TensorBase& grad_grid, const TensorBase& grad_output,
                    const TensorBase& input, const TensorBase& grid, const GridSampling& sampling) {
  using A = ufunc::opmath<T>;
  const Shape shape(input, grid);
  const int64_t in_item = shape.channels * shape.plane, out_item = shape.channels * shape.points;
  at::parallel_for(0, shape.batch, 1, [&](int64_t first, int64_t last) {
    std::vector<A> wide;
    for (int64_t item = first; item < last; ++item) {
      T* const target = grad_input.defined() ? grad_input.mutable_data_ptr<T>() + item * in_item : nullptr;
      A* planes = nullptr;
      if constexpr (std::is_same_v<T, A>) {
        planes = target;
      } else if (target != nullptr) {
        wide.assign(static_cast<size_t>(in_item), A(0));
        planes = wide.data();
      }
      const int64_t coordinate = item * shape.points * shape.axes;
      gradients_of_item(shape, sampling, grad_output.const_data_ptr<T>() + item * out_item,
                        input.const_data_ptr<T>() + item * in_item, grid.const_data_ptr<T>() + coordinate,
                        planes, grad_grid.mutable_data_ptr<T>() + coordinate);
      for (size_t i = 0; i < wide.size(); ++i) target[i] = static_cast<T>(wide[i]);
    }
  });
}

void grid_sampler_kernel(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
                         const GridSampling& sampling) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "grid_sampler",
                                  [&] { sample_all<scalar_t>(output, input, grid, sampling); });
}

void grid_sampler_backward_kernel(const TensorBase& grad_input, const TensorBase& grad_grid,
                                  const TensorBase& grad_output, const TensorBase& input,
                                  const TensorBase& grid, const GridSampling& sampling) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "grid_sampler_backward", [&] {
    find_gradients<scalar_t>(grad_input, grad_grid, grad_output, input, grid, sampling);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(grid_sampler_stub, &grid_sampler_kernel)
REGISTER_DISPATCH(grid_sampler_backward_stub, &grid_sampler_backward_kernel)

}  // namespace at::native
