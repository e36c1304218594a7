// grid_sampler and its gradients: for some points of the grid at a time, the input elements of each are found
// once and used for all channels.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/math/types.h>
#include <ATen/native/resampling/grid_sampler.h>

#include <algorithm>
#include <vector>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

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

// The input elements of `n` points, by their offsets in a channel; -1 where there is none.
template <class A>
struct PointTaps {
  int64_t n;
  int taps;
  int32_t offset[max_taps][points_at_once];
  A weight[max_taps][points_at_once];
  A slope[max_axes][max_taps][points_at_once];
};

// Points from n up to points_at_once have none.
template <class A, class T>
void find_axis_taps(AxisTaps<A>& axis, const T* coordinates, int64_t n, int stride, int64_t size,
                    const GridSampling& sampling) {
  A coordinate[points_at_once] = {};
  for (int64_t p = 0; p < n; ++p) coordinate[p] = load_one<A>(coordinates + p * stride);
  const bool align_corners = sampling.align_corners;
  grid_taps::with_constants(sampling, [&](auto interpolation, auto padding) {
    constexpr int count = grid_taps::taps_along(interpolation.value);
    for (int64_t p = 0; p < points_at_once; ++p) {
      const auto taps =
          grid_taps::taps_of<interpolation.value, padding.value>(coordinate[p], size, align_corners);
#pragma GCC unroll 4
      for (int k = 0; k < count; ++k) {
        axis.index[k][p] = taps.index[k];
        axis.weight[k][p] = taps.weight[k];
        axis.slope[k][p] = taps.slope[k];
      }
    }
  });
  for (int k = 0; k < sampling.taps(); ++k) {
    std::fill(axis.index[k] + n, axis.index[k] + points_at_once, static_cast<int32_t>(size));
  }
}

// One combination of taps: `choice` of each axis.
template <int axis_count, class A>
void combine(PointTaps<A>& points, int tap, const AxisTaps<A>* axes, const int* choice, const Shape& shape) {
  int32_t* offset = points.offset[tap];
  A* weight = points.weight[tap];
  for (int64_t p = 0; p < points_at_once; ++p) {
    int32_t at = 0;
    bool inside = true;
    A product = 1;
#pragma GCC unroll 3
    for (int a = axis_count - 1; a >= 0; --a) {
      const int32_t index = axes[a].index[choice[a]][p], size = static_cast<int32_t>(shape.size[a]);
      inside = inside & (index < size);
      at = at * size + index;
      product *= axes[a].weight[choice[a]][p];
    }
    offset[p] = inside ? at : -1;
    weight[p] = product;
  }
}

template <int axis_count, class A>
void combine_slopes(PointTaps<A>& points, int tap, const AxisTaps<A>* axes, const int* choice) {
  for (int along = 0; along < axis_count; ++along) {
    const A* slope = axes[along].slope[choice[along]];
    A* product = points.slope[along][tap];
    for (int64_t p = 0; p < points_at_once; ++p) product[p] = slope[p];
    for (int a = 0; a < axis_count; ++a) {
      const A* weight = axes[a].weight[choice[a]];
      for (int64_t p = 0; p < points_at_once && a != along; ++p) product[p] *= weight[p];
    }
  }
}

template <int axis_count, class A, class T>
void find_taps(PointTaps<A>& points, const T* grid, int64_t n, const Shape& shape,
               const GridSampling& sampling, bool with_slopes) {
  AxisTaps<A> axes[axis_count];
  const int per_axis = sampling.taps();
  points.n = n;
  points.taps = 1;
  for (int a = 0; a < axis_count; ++a) {
    find_axis_taps(axes[a], grid + a, n, axis_count, shape.size[a], sampling);
    points.taps *= per_axis;
  }
  for (int tap = 0; tap < points.taps; ++tap) {
    int choice[axis_count], rest = tap;
    for (int a = 0; a < axis_count; ++a) {
      choice[a] = rest % per_axis;
      rest /= per_axis;
    }
    combine<axis_count>(points, tap, axes, choice, shape);
    if (with_slopes) combine_slopes<axis_count>(points, tap, axes, choice);
  }
}

template <class A, class T>
void find_taps(PointTaps<A>& points, const T* grid, int64_t n, const Shape& shape,
               const GridSampling& sampling, bool with_slopes) {
  if (shape.axes == 2) return find_taps<2>(points, grid, n, shape, sampling, with_slopes);
  find_taps<3>(points, grid, n, shape, sampling, with_slopes);
}

// channel[offset[i]] for a vector of points; zeros outside of the input.
template <class A, class T>
C10_ALWAYS_INLINE Vec<A> values_at(const T* channel, const int32_t* offset) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, float>) {
    const __m512i at = _mm512_loadu_si512(offset);
    const __mmask16 inside = _mm512_cmpge_epi32_mask(at, _mm512_setzero_si512());
    return reinterpret_cast<Vec<A>>(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), inside, at, channel, 4));
  }
#elif defined(__AVX2__)
  if constexpr (std::is_same_v<T, float>) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offset));
    const __m256 inside = _mm256_castsi256_ps(_mm256_cmpgt_epi32(at, _mm256_set1_epi32(-1)));
    return reinterpret_cast<Vec<A>>(_mm256_mask_i32gather_ps(_mm256_setzero_ps(), channel, at, inside, 4));
  }
#endif
  A values[lanes<A>];
  for (int i = 0; i < lanes<A>; ++i) {
    const A value = load_one<A>(channel + (offset[i] < 0 ? 0 : offset[i]));
    values[i] = offset[i] < 0 ? A(0) : value;
  }
  return load(values);
}

// The channels of one item, which lie `stride` apart.
template <class T>
struct Channels {
  T* first;
  int64_t stride, count;
};

// `taps` is a compile-time constant where it is small, so that a vector's offsets and weights stay in
// registers for all channels; 0: any number.
template <int taps, class A, class T>
void sample(const PointTaps<A>& points, Channels<const T> in, Channels<T> out) {
  constexpr int64_t vector = lanes<A>;
  const int count = taps > 0 ? taps : points.taps;
  for (int64_t p = 0; p < points.n; p += vector) {
    const int64_t n = std::min(vector, points.n - p);
    for (int64_t c = 0; c < in.count; ++c) {
      const T* channel = in.first + c * in.stride;
      Vec<A> sum = {};
      for (int tap = 0; tap < count; ++tap) {
        sum += values_at<A>(channel, points.offset[tap] + p) * load(points.weight[tap] + p);
      }
      T* to = out.first + c * out.stride + p;
      if (n == vector) {
        store_as<A>(to, sum);
      } else {
        for (int64_t i = 0; i < n; ++i) store_one(to + i, A(sum[i]));
      }
    }
  }
}

// Calls f with the number of taps as a constant, or with 0.
template <class T, class F>
void with_taps(int taps, const F& f) {
  if constexpr (std::is_same_v<T, float>) {
    if (taps == 1) return f(std::integral_constant<int, 1>());
    if (taps == 4) return f(std::integral_constant<int, 4>());
  }
  f(std::integral_constant<int, 0>());
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
                       const Channels<const T> from{in + item * shape.channels * shape.plane, shape.plane,
                                                    shape.channels};
                       const Channels<T> to{out + item * shape.channels * shape.points + begin, shape.points,
                                            shape.channels};
                       with_taps<T>(points.taps, [&](auto taps) { sample<taps.value>(points, from, to); });
                     }
                   });
}

// -------------------- gradients

// `grad` has points_at_once elements.
template <class A>
void spread(const PointTaps<A>& points, const A* grad, A* channel) {
  for (int tap = 0; tap < points.taps; ++tap) {
    for (int64_t p = 0; p < points.n; ++p) {
      const int32_t offset = points.offset[tap][p];
      if (offset >= 0) channel[offset] += points.weight[tap][p] * grad[p];
    }
  }
}

template <int axis_count, class A, class T>
void add_slopes(const PointTaps<A>& points, Channels<const T> in, Channels<const T> grad,
                A (*sum)[points_at_once]) {
  constexpr int64_t vector = lanes<A>;
  for (int64_t p = 0; p < points.n; p += vector) {
    const int64_t n = std::min(vector, points.n - p);
    Vec<A> total[axis_count] = {};
    for (int64_t c = 0; c < in.count; ++c) {
      const T* of_points = grad.first + c * grad.stride + p;
      A g[vector] = {};
      for (int64_t i = 0; i < n; ++i) g[i] = load_one<A>(of_points + i);
      for (int tap = 0; tap < points.taps; ++tap) {
        const Vec<A> value = values_at<A>(in.first + c * in.stride, points.offset[tap] + p) * load(g);
        for (int a = 0; a < axis_count; ++a) total[a] += value * load(points.slope[a][tap] + p);
      }
    }
    for (int a = 0; a < axis_count; ++a) store(sum[a] + p, total[a]);
  }
}

// For one item of the batch. `planes`: where the gradient of its channels is accumulated, if it is wanted.
template <class A, class T>
void gradients_of_item(const Shape& shape, const GridSampling& sampling, const T* grad, const T* in,
                       const T* coordinates, A* planes, T* grad_grid) {
  PointTaps<A> points;
  // The nearest element doesn't change as a point moves: no gradient.
  const bool with_slopes = sampling.interpolation != GridSamplerInterpolation::Nearest;
  for (int64_t begin = 0; begin < shape.points; begin += points_at_once) {
    const int64_t n = std::min(points_at_once, shape.points - begin);
    find_taps(points, coordinates + begin * shape.axes, n, shape, sampling, with_slopes);
    A sum[max_axes][points_at_once] = {};
    for (int64_t c = 0; c < shape.channels && planes != nullptr; ++c) {
      A of_channel[points_at_once] = {};
      convert(grad + c * shape.points + begin, of_channel, n);
      spread(points, of_channel, planes + c * shape.plane);
    }
    const Channels<const T> from{in, shape.plane, shape.channels};
    const Channels<const T> grads{grad + begin, shape.points, shape.channels};
    if (with_slopes && shape.axes == 2) add_slopes<2>(points, from, grads, sum);
    if (with_slopes && shape.axes == 3) add_slopes<3>(points, from, grads, sum);
    for (int64_t p = 0; p < n; ++p) {
      for (int a = 0; a < shape.axes; ++a) {
        store_one(grad_grid + (begin + p) * shape.axes + a, sum[a][p]);
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
      convert(wide.data(), target, static_cast<int64_t>(wide.size()));
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
