// Positions and weights of resampling, shared by all devices.
#include <ATen/native/resampling/stubs.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace at::native {

namespace {

// T: the type in which positions are computed. Its rounding decides between neighbours, so each operation is
// done in it.
template <class T>
class Axis {
 public:
  Axis(UpsampleMode mode, int64_t input, int64_t output, const UpsampleScale& scale)
      : mode_(mode), input_(input), output_(output), align_corners_(scale.align_corners) {
    const bool given = scale.factor && *scale.factor > 0;
    if (align_corners_) {
      scale_ = output > 1 ? static_cast<T>(input - 1) / static_cast<T>(output - 1) : T(0);
    } else {
      scale_ = given ? static_cast<T>(1.0 / *scale.factor) : static_cast<T>(input) / static_cast<T>(output);
    }
  }

  int64_t taps() const {
    switch (mode_) {
      case UpsampleMode::Nearest:
      case UpsampleMode::NearestExact:
        return 1;
      case UpsampleMode::Linear:
        return 2;
      case UpsampleMode::Cubic:
        return 4;
      default:
        return std::max<int64_t>(1, static_cast<int64_t>(std::min(std::ceil(support()) * 2 + 1, T(input_))));
    }
  }

  // Calls add(index, weight) for each tap of element i.
  template <class Add>
  void each_tap(int64_t i, const Add& add) const {
    switch (mode_) {
      case UpsampleMode::Nearest:
      case UpsampleMode::NearestExact:
        return add(nearest(i), 1.0);
      case UpsampleMode::Linear:
        return linear(i, add);
      case UpsampleMode::Cubic:
        return cubic(i, add);
      default:
        return antialiased(i, add);
    }
  }

 private:
  int64_t clamped(T position) const {
    // NaN and values beyond the range of integers may result from the caller's scales.
    if (!(position > 0)) return 0;
    return position >= static_cast<T>(input_ - 1) ? input_ - 1 : static_cast<int64_t>(position);
  }

  int64_t nearest(int64_t i) const {
    const auto scale = static_cast<float>(scale_);
    if (mode_ == UpsampleMode::NearestExact) {
      return clamped(std::floor(static_cast<float>((static_cast<double>(i) + 0.5) * scale)));
    }
    return clamped(std::floor(static_cast<float>(i) * scale));
  }

  T position(int64_t i) const {
    return align_corners_ ? scale_ * static_cast<T>(i) : scale_ * (static_cast<T>(i) + T(0.5)) - T(0.5);
  }

  template <class Add>
  void linear(int64_t i, const Add& add) const {
    if (output_ == input_) return add(i, T(1));
    const T at = std::max(position(i), T(0));
    const int64_t low = clamped(at), high = std::min(low + 1, input_ - 1);
    const T part = std::clamp(at - static_cast<T>(low), T(0), T(1));
    add(low, T(1) - part);
    add(high, part);
  }

  // Cubic convolution at distances up to 1 and from 1 to 2, with coefficient `a`.
  static T near_weight(T x, T a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
  static T far_weight(T x, T a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }

  template <class Add>
  void cubic(int64_t i, const Add& add) const {
    const T at = position(i), low = std::floor(at);
    const T part = std::clamp(at - low, T(0), T(1));
    const T a = T(-0.75);
    const T weights[4] = {far_weight(part + 1, a), near_weight(part, a), near_weight(1 - part, a),
                          far_weight(2 - part, a)};
    for (int k = 0; k < 4; ++k) add(clamped(low + static_cast<T>(k - 1)), weights[k]);
  }

  T filter(T x) const {
    x = std::abs(x);
    if (mode_ == UpsampleMode::LinearAntialias) return x < 1 ? 1 - x : T(0);
    const T a = T(-0.5);
    return x < 1 ? near_weight(x, a) : x < 2 ? far_weight(x, a) : T(0);
  }

  // The support of the filter, in elements of the input; downsampling widens it.
  T support() const {
    const T reach = mode_ == UpsampleMode::LinearAntialias ? T(1) : T(2);
    return scale_ >= 1 ? reach * scale_ : reach;
  }

  template <class Add>
  void antialiased(int64_t i, const Add& add) const {
    const T center = scale_ * (static_cast<T>(i) + T(0.5)), reach = support();
    const T inverse = scale_ >= 1 ? T(1) / scale_ : T(1);
    const T from = center - reach + T(0.5), to = center + reach + T(0.5);
    const int64_t first = from > 0 ? std::min(static_cast<int64_t>(std::min(from, T(input_))), input_) : 0;
    const int64_t last = to > 0 ? static_cast<int64_t>(std::min(to, T(input_))) : 0;
    const int64_t count = std::clamp<int64_t>(last - first, 0, taps());
    T total = 0;
    for (int64_t k = 0; k < count; ++k) total += weight_at(first + k, center, inverse);
    for (int64_t k = 0; k < count; ++k) {
      const T weight = weight_at(first + k, center, inverse);
      add(first + k, total != 0 ? weight / total : weight);
    }
  }
  T weight_at(int64_t index, T center, T inverse) const {
    return filter((static_cast<T>(index) - center + T(0.5)) * inverse);
  }

  UpsampleMode mode_;
  int64_t input_, output_;
  bool align_corners_;
  T scale_;
};

ResampleAxis with_taps(int64_t input, int64_t output, int64_t taps) {
  ResampleAxis axis{input, output, taps, {}, {}, {}};
  const auto size = static_cast<size_t>(taps * output);
  axis.index.assign(size, static_cast<int32_t>(input));
  axis.weight.assign(size, 0.0);
  axis.count.assign(static_cast<size_t>(output), 0);
  return axis;
}

void add_tap(ResampleAxis& axis, int64_t i, int64_t index, double weight) {
  const int64_t last = (axis.count[i] - 1) * axis.output + i;
  if (axis.count[i] > 0 && axis.index[last] == index) {
    axis.weight[last] += weight;
    return;
  }
  const int64_t place = axis.count[i]++ * axis.output + i;
  axis.index[place] = static_cast<int32_t>(index);
  axis.weight[place] = weight;
}

template <class T>
ResampleAxis make_axis(UpsampleMode mode, int64_t input, int64_t output, const UpsampleScale& scale) {
  const Axis<T> rule(mode, input, output, scale);
  ResampleAxis axis = with_taps(input, output, rule.taps());
  for (int64_t i = 0; i < output; ++i) {
    rule.each_tap(i, [&](int64_t index, T weight) { add_tap(axis, i, index, weight); });
  }
  return axis;
}

}  // namespace

ResampleAxis make_resample_axis(UpsampleMode mode, int64_t input, int64_t output, const UpsampleScale& scale,
                                ScalarType dtype) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max() / 2;
  TORCH_CHECK(input < limit && output < limit, "upsample: axes of ", limit,
              " elements and more are not supported, got ", input, " and ", output);
  const bool is_nearest = mode == UpsampleMode::Nearest || mode == UpsampleMode::NearestExact;
  // uint8 is resampled axis by axis: axes whose size doesn't change are skipped.
  if (dtype == kByte && input == output && !is_nearest) mode = UpsampleMode::Linear;
  const bool in_double = dtype == kDouble || dtype == kByte;
  return in_double ? make_axis<double>(mode, input, output, scale)
                   : make_axis<float>(mode, input, output, scale);
}

ResampleAxis transposed(const ResampleAxis& axis) {
  std::vector<int64_t> uses(static_cast<size_t>(axis.input), 0);
  const auto each = [&axis](const auto& visit) {
    for (int64_t i = 0; i < axis.output; ++i) {
      for (int64_t k = 0; k < axis.count[i]; ++k) visit(i, k * axis.output + i);
    }
  };
  each([&](int64_t, int64_t place) { ++uses[axis.index[place]]; });
  const int64_t taps = uses.empty() ? 1 : std::max<int64_t>(1, *std::max_element(uses.begin(), uses.end()));
  ResampleAxis turned = with_taps(axis.output, axis.input, taps);
  each([&](int64_t i, int64_t place) { add_tap(turned, axis.index[place], i, axis.weight[place]); });
  return turned;
}

FixedPointWeights fixed_point_weights(const ResampleAxis& axis) {
  constexpr int max_places = 22;
  const double largest = axis.weight.empty() ? 0 : *std::max_element(axis.weight.begin(), axis.weight.end());
  FixedPointWeights fixed;
  while (fixed.places < max_places && 0.5 + largest * (1 << (fixed.places + 1)) < (1 << 15)) ++fixed.places;
  fixed.weight.reserve(axis.weight.size());
  for (const double weight : axis.weight) {
    const double scaled = weight * (1 << fixed.places);
    fixed.weight.push_back(static_cast<int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
  }
  return fixed;
}

}  // namespace at::native
