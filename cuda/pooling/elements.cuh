// Pooling on CUDA: a thread for each element that is written, so that no sum depends on the order of threads.
#pragma once

#include <ATen/NumericUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/math/limits.h>
#include <ATen/native/pooling/plan.h>

namespace at::native {
namespace pooling_cuda {

constexpr int threads = launch_threads;

// An element of a dense tensor: its plane, its position in that, and the addressing of the plane's elements.
struct Element {
  int64_t image, channel, d, h, w;

  __device__ Element(int64_t i, const Pooling& pooling, int64_t depth, int64_t height, int64_t width) {
    if (pooling.channels_last) {
      channel = i % pooling.channels;
      i /= pooling.channels;
    }
    w = i % width;
    h = i / width % height;
    d = i / (width * height) % depth;
    i /= width * height * depth;
    if (!pooling.channels_last) {
      channel = i % pooling.channels;
      i /= pooling.channels;
    }
    image = i;
  }

  // The first element of the plane of `size` elements, and the distance of neighbours.
  __device__ int64_t first(const Pooling& pooling, int64_t size) const {
    return pooling.channels_last ? image * size * pooling.channels + channel
                                 : (image * pooling.channels + channel) * size;
  }
};

__device__ inline int64_t step_of(const Pooling& pooling) {
  return pooling.channels_last ? pooling.channels : 1;
}

__device__ inline Element output_element(int64_t i, const Pooling& pooling) {
  return {i, pooling, pooling.axes[0].output, pooling.axes[1].output, pooling.axes[2].output};
}

__device__ inline Element input_element(int64_t i, const Pooling& pooling) {
  return {i, pooling, pooling.axes[0].input, pooling.axes[1].input, pooling.axes[2].input};
}

// The maximum of a window so far, and its position in the plane.
template <class T>
struct Maximum {
  T value;
  int64_t place;

  __device__ Maximum(const Pooling& pooling, int64_t d, int64_t h, int64_t w)
      : value(lower_bound<T>()), place((d * pooling.axes[1].input + h) * pooling.axes[2].input + w) {}
  __device__ void take(T other, int64_t where) {
    using Compared = at::opmath_type<T>;  // 16-bit floats have CUDA's operators and the language's
    if (static_cast<Compared>(other) > static_cast<Compared>(value) || at::_isnan(other)) {
      value = other;
      place = where;
    }
  }
};

}  // namespace pooling_cuda
}  // namespace at::native
