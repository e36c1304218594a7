// A row of a pooling's input, padded, so that one tap of neighbouring windows lies side by side whatever the
// stride: every stride-th element stands in a row of its own. For files of cpu/simd.
#pragma once

#include <ATen/native/Pool.h>
#include <ATen/native/cpu/vectors.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class Acc>
C10_ALWAYS_INLINE int64_t whole_vectors(int64_t n) {
  return (n + lanes<Acc> - 1) / lanes<Acc> * lanes<Acc>;
}

template <class Acc>
class PoolRow {
 public:
  /// Whether windows are worth it: far apart, or larger than the input, most of the row would be padding.
  static bool suits(const PoolAxis& width) {
    return !width.adaptive && width.stride <= 4 && width.extent() <= 2 * width.input + lanes<Acc>;
  }

  PoolRow(const PoolAxis& width, Acc padding)
      : padding_(width.padding),
        stride_(width.stride),
        reached_(std::min(width.input, (width.output - 1) * width.stride + width.extent() - width.padding)),
        pitch_(whole_vectors<Acc>(width.output) + (width.extent() - 1) / width.stride + 1),
        elements_(pitch_ * stride_, padding) {
    for (int64_t t = 0; t < width.kernel; ++t) {
      const int64_t x = t * width.dilation;
      taps_.push_back(elements_.data() + x % stride_ * pitch_ + x / stride_);
    }
  }

  template <class T>
  void set(const T* row) {
    if (stride_ == 1) return fill<1>(row);
    if (stride_ == 2) return fill<2>(row);
    fill<0>(row);
  }

  /// What tap t of the windows takes; readable up to a whole number of vectors.
  const std::vector<const Acc*>& taps() const { return taps_; }

 private:
  template <int constant_stride, class T>
  void fill(const T* row) {
    const int64_t stride = constant_stride != 0 ? constant_stride : stride_;
    for (int64_t r = 0; r < stride; ++r) {
      const int64_t first = (r + stride - padding_ % stride) % stride;
      Acc* to = elements_.data() + r * pitch_ + (first + padding_) / stride;
      const T* from = row + first;
      const int64_t count = (reached_ - first + stride - 1) / stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < count; ++j) {
        to[j] = static_cast<Acc>(from[j * stride]);
      }
    }
  }

  int64_t padding_, stride_, reached_, pitch_;
  std::vector<Acc> elements_;
  std::vector<const Acc*> taps_;
};

/// Places of an image where the elements of a window lie, of its three axes.
class WindowPlaces {
 public:
  void gather(const Pooling& pooling, int64_t od, int64_t oh, int64_t ow) {
    const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
    places_.clear();
    for (int64_t d = depth.begin(od); d < depth.end(od); d += depth.dilation) {
      for (int64_t h = height.begin(oh); h < height.end(oh); h += height.dilation) {
        for (int64_t w = width.begin(ow); w < width.end(ow); w += width.dilation) {
          places_.push_back((d * height.input + h) * width.input + w);
        }
      }
    }
  }
  const std::vector<int64_t>& places() const { return places_; }

 private:
  std::vector<int64_t> places_;
};

}  // namespace CPU_CAPABILITY
}  // namespace at::native
