// The elements of an axis that an element of a resampled one is made of, and their weights: by the host in
// tables, by kernels of other devices where they are needed.
#pragma once

#include <ATen/native/resampling/stubs.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>

namespace at::native::resampling {

/// What element i of an axis is made of: `count` elements from `first` on. T is the type in which positions
/// are computed. Its rounding decides between neighbours, so each operation is done in it.
template <class T>
struct Taps {
  int64_t first;
  int count;
  T at;     // linear, cubic: the distance from the first element inside; antialiased: the center
  T total;  // antialiased: of all weights
};

template <class T>
class Axis {
 public:
  explicit Axis(const ResampleRule& rule)
      : mode_(rule.mode), input_(rule.input), output_(rule.output), align_corners_(rule.scale.align_corners) {
    const bool given = rule.scale.factor && *rule.scale.factor > 0;
    if (align_corners_) {
      scale_ = output_ > 1 ? static_cast<T>(input_ - 1) / static_cast<T>(output_ - 1) : T(0);
    } else {
      scale_ =
          given ? static_cast<T>(1.0 / *rule.scale.factor) : static_cast<T>(input_) / static_cast<T>(output_);
    }
  }

  C10_HOST_DEVICE int64_t input() const { return input_; }
  C10_HOST_DEVICE int64_t output() const { return output_; }

  /// No element has more.
  int64_t most_taps() const {
    if (is_nearest()) return 1;
    if (mode_ == UpsampleMode::Linear) return 2;
    if (mode_ == UpsampleMode::Cubic) return 4;
    return most_antialiased();
  }

  C10_HOST_DEVICE Taps<T> taps(int64_t i) const {
    if (is_nearest()) return {nearest(i), 1, T(0), T(1)};
    if (mode_ == UpsampleMode::Linear) return linear(i);
    if (mode_ == UpsampleMode::Cubic) return cubic(i);
    return antialiased(i);
  }

  /// Neighbours may be the same element, at the ends.
  C10_HOST_DEVICE int64_t index(const Taps<T>& taps, int k) const {
    const int64_t position = taps.first + k;
    return position < 0 ? 0 : position < input_ ? position : input_ - 1;
  }

  C10_HOST_DEVICE T weight(const Taps<T>& taps, int k) const {
    if (is_nearest()) return T(1);
    if (mode_ == UpsampleMode::Linear) return k == 0 ? T(1) - taps.at : taps.at;
    if (mode_ == UpsampleMode::Cubic) return cubic_weight(k, taps.at);
    const T weight = weight_at(taps.first + k, taps.at);
    return taps.total != 0 ? weight / taps.total : weight;
  }

 private:
  C10_HOST_DEVICE bool is_nearest() const {
    return mode_ == UpsampleMode::Nearest || mode_ == UpsampleMode::NearestExact;
  }

  static C10_HOST_DEVICE T larger(T a, T b) { return a < b ? b : a; }
  static C10_HOST_DEVICE T smaller(T a, T b) { return b < a ? b : a; }
  static C10_HOST_DEVICE T within_one(T x) { return x < 0 ? T(0) : x > 1 ? T(1) : x; }

  // NaN and values beyond the range of integers may result from the caller's scales.
  C10_HOST_DEVICE int64_t clamped(T position) const {
    if (!(position > 0)) return 0;
    return position >= static_cast<T>(input_ - 1) ? input_ - 1 : static_cast<int64_t>(position);
  }

  C10_HOST_DEVICE int64_t nearest(int64_t i) const {
    const auto scale = static_cast<float>(scale_);
    if (mode_ == UpsampleMode::NearestExact) {
      return clamped(std::floor(static_cast<float>((static_cast<double>(i) + 0.5) * scale)));
    }
    return clamped(std::floor(static_cast<float>(i) * scale));
  }

  C10_HOST_DEVICE T position(int64_t i) const {
    return align_corners_ ? scale_ * static_cast<T>(i) : scale_ * (static_cast<T>(i) + T(0.5)) - T(0.5);
  }

  C10_HOST_DEVICE Taps<T> linear(int64_t i) const {
    if (output_ == input_) return {i, 1, T(0), T(1)};
    const T at = larger(position(i), T(0));
    const int64_t low = clamped(at);
    if (low == input_ - 1) return {low, 1, T(0), T(1)};
    return {low, 2, within_one(at - static_cast<T>(low)), T(1)};
  }

  C10_HOST_DEVICE Taps<T> cubic(int64_t i) const {
    const T at = position(i), low = std::floor(at);
    // Beyond these all four are the first or the last element.
    const T lowest = T(-4), highest = static_cast<T>(input_ + 4);
    const T nearby = low > lowest ? (low < highest ? low : highest) : lowest;
    return {static_cast<int64_t>(nearby) - 1, 4, within_one(at - low), T(1)};
  }

  // Cubic convolution at distances up to 1 and from 1 to 2, with coefficient `a`.
  static C10_HOST_DEVICE T near_weight(T x, T a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
  static C10_HOST_DEVICE T far_weight(T x, T a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }
  static C10_HOST_DEVICE T cubic_weight(int k, T part) {
    const T a = T(-0.75);
    if (k == 0) return far_weight(part + 1, a);
    if (k == 1) return near_weight(part, a);
    return k == 2 ? near_weight(1 - part, a) : far_weight(2 - part, a);
  }

  C10_HOST_DEVICE T filter(T x) const {
    x = x < 0 ? -x : x;
    if (mode_ == UpsampleMode::LinearAntialias) return x < 1 ? 1 - x : T(0);
    const T a = T(-0.5);
    return x < 1 ? near_weight(x, a) : x < 2 ? far_weight(x, a) : T(0);
  }

  // The support of the filter, in elements of the input; downsampling widens it.
  C10_HOST_DEVICE T support() const {
    const T reach = mode_ == UpsampleMode::LinearAntialias ? T(1) : T(2);
    return scale_ >= 1 ? reach * scale_ : reach;
  }
  C10_HOST_DEVICE int64_t most_antialiased() const {
    const auto most = static_cast<int64_t>(smaller(std::ceil(support()) * 2 + 1, static_cast<T>(input_)));
    return most < 1 ? 1 : most;
  }
  C10_HOST_DEVICE int64_t bounded(T position) const {
    const int64_t at = position > 0 ? static_cast<int64_t>(smaller(position, static_cast<T>(input_))) : 0;
    return at < input_ ? at : input_;
  }

  C10_HOST_DEVICE Taps<T> antialiased(int64_t i) const {
    const T center = scale_ * (static_cast<T>(i) + T(0.5)), reach = support();
    const int64_t first = bounded(center - reach + T(0.5)), most = most_antialiased();
    int64_t count = bounded(center + reach + T(0.5)) - first;
    count = count < 0 ? 0 : count < most ? count : most;
    T total = 0;
    for (int64_t k = 0; k < count; ++k) total += weight_at(first + k, center);
    return {first, static_cast<int>(count), center, total};
  }
  C10_HOST_DEVICE T weight_at(int64_t index, T center) const {
    const T inverse = scale_ >= 1 ? T(1) / scale_ : T(1);
    return filter((static_cast<T>(index) - center + T(0.5)) * inverse);
  }

  UpsampleMode mode_;
  int64_t input_, output_;
  bool align_corners_;
  T scale_;
};

}  // namespace at::native::resampling
