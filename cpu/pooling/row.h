// Shared by the pooling kernels on the CPU: the windows along one axis, and rows rearranged so that one tap
// of neighbouring windows is contiguous. For files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/pooling/plan.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class Acc>
C10_ALWAYS_INLINE int64_t whole_vectors(int64_t n) {
  return (n + lanes<Acc> - 1) / lanes<Acc> * lanes<Acc>;
}

/// Elements of input per element of output.
inline int64_t window_work(const Pooling& pooling) {
  return std::max<int64_t>(1, pooling.input_size() / std::max<int64_t>(1, pooling.output_size()));
}

/// The windows along one dimension, precomputed.
struct AxisWindows {
  struct Window {
    int64_t begin, end, step, count;
  };

  AxisWindows(const PoolAxis& axis, bool count_padding) : input(axis.input), output(axis.output) {
    for (int64_t o = 0; o < axis.output; ++o) {
      const int64_t count = axis.dilation == 1 ? axis.count(o, count_padding) : 0;
      windows.push_back({axis.begin(o), axis.end(o), axis.dilation, count});
    }
  }
  const Window& operator[](int64_t o) const { return windows[o]; }

  int64_t input, output;
  std::vector<Window> windows;
};

struct PoolWindows {
  explicit PoolWindows(const Pooling& pooling)
      : depth(pooling.axes[0], pooling.count_include_pad),
        height(pooling.axes[1], pooling.count_include_pad),
        width(pooling.axes[2], pooling.count_include_pad) {}

  /// Calls body(d, h) for each row of input that window (od, oh) reaches.
  template <class Body>
  C10_ALWAYS_INLINE void for_each_row(int64_t od, int64_t oh, const Body& body) const {
    const auto &planes = depth[od], &rows = height[oh];
    for (int64_t d = planes.begin; d < planes.end; d += planes.step) {
      for (int64_t h = rows.begin; h < rows.end; h += rows.step) body(d, h);
    }
  }

  AxisWindows depth, height, width;
};

/// A row of input with its padding, split by residue modulo the stride: every stride-th element is in the
/// same part.
template <class Acc>
class PoolRow {
 public:
  /// Whether that pays off: with windows far apart, or larger than the input, most of the row would be
  /// padding.
  static bool suits(const PoolAxis& width) {
    return !width.adaptive && width.stride <= 4 && width.extent() <= 2 * width.input + lanes<Acc>;
  }

  PoolRow(const PoolAxis& width, Acc padding)
      : input_(width.input),
        padding_(width.padding),
        stride_(width.stride),
        reached_(std::min(width.input, (width.output - 1) * width.stride + width.extent() - width.padding)),
        pitch_(whole_vectors<Acc>(width.output) + (width.extent() - 1) / width.stride + 1),
        elements_(pitch_ * stride_, padding) {
    for (int64_t t = 0; t < width.kernel; ++t) {
      const int64_t x = t * width.dilation;
      taps_.push_back(elements_.data() + x % stride_ * pitch_ + x / stride_);
    }
  }

  /// What tap t of the windows reads; readable up to a whole number of vectors.
  const std::vector<Acc*>& taps() const { return taps_; }

  template <class T>
  void set(const T* row) {
    for_each_part([&](Acc* part, int64_t first, int64_t count, auto stride) {
      const T* from = row + first;
      if constexpr (std::is_same_v<decltype(stride), Constant<1>>) {
        convert(from, part, count);
      } else {
#pragma GCC ivdep
        for (int64_t j = 0; j < count; ++j) part[j] = load_one<Acc>(from + j * stride);
      }
    });
  }

  void clear() { std::fill(elements_.begin(), elements_.end(), Acc(0)); }

  /// The reverse of set(): elements that no window covers are zeros.
  template <class T>
  void get(T* row) {
    std::fill(row + std::max<int64_t>(0, reached_), row + input_, T(0));
    for_each_part([&](const Acc* part, int64_t first, int64_t count, auto stride) {
      T* to = row + first;
      if constexpr (std::is_same_v<decltype(stride), Constant<1>>) {
        convert(part, to, count);
      } else {
#pragma GCC ivdep
        for (int64_t j = 0; j < count; ++j) store_one(to + j * stride, part[j]);
      }
    });
  }

 private:
  template <int64_t n>
  struct Constant {
    constexpr operator int64_t() const { return n; }
  };

  // Calls body(part, first, count, stride): elements first, first + stride, ... of the row make up the part.
  template <class Body>
  void for_each_part(const Body& body) {
    if (stride_ == 1) return parts(Constant<1>(), body);
    if (stride_ == 2) return parts(Constant<2>(), body);
    parts(stride_, body);
  }

  template <class Stride, class Body>
  void parts(Stride stride, const Body& body) {
    for (int64_t r = 0; r < stride; ++r) {
      const int64_t first = (r + stride - padding_ % stride) % stride;
      const int64_t count = (reached_ - first + stride - 1) / stride;
      body(elements_.data() + r * pitch_ + (first + padding_) / stride, first, count, stride);
    }
  }

  int64_t input_, padding_, stride_, reached_, pitch_;
  std::vector<Acc> elements_;
  std::vector<Acc*> taps_;
};

}  // namespace CPU_CAPABILITY
}  // namespace at::native
