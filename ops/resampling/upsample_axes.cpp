// Positions and weights of resampling: the rules of axes, and their tables for the CPU.
#include <ATen/native/resampling/axis.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace at::native {

namespace {

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
ResampleAxis make_table(const ResampleRule& rule) {
  const resampling::Axis<T> axis(rule);
  ResampleAxis table = with_taps(rule.input, rule.output, axis.most_taps());
  for (int64_t i = 0; i < rule.output; ++i) {
    const resampling::Taps<T> taps = axis.taps(i);
    for (int k = 0; k < taps.count; ++k) add_tap(table, i, axis.index(taps, k), axis.weight(taps, k));
  }
  return table;
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

}  // namespace

ResampleRule make_resample_rule(UpsampleMode mode, int64_t input, int64_t output, const UpsampleScale& scale,
                                ScalarType dtype) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max() / 2;
  TORCH_CHECK(input < limit && output < limit, "upsample: axes of ", limit,
              " elements and more are not supported, got ", input, " and ", output);
  const bool is_nearest = mode == UpsampleMode::Nearest || mode == UpsampleMode::NearestExact;
  // uint8 is resampled axis by axis: axes whose size doesn't change are skipped.
  if (dtype == kByte && input == output && !is_nearest) mode = UpsampleMode::Linear;
  return {mode, input, output, scale, dtype == kDouble || dtype == kByte};
}

Resampling tables_of(const ResamplePlan& plan) {
  Resampling tables{plan.outer, plan.inner, {}};
  for (int a = 0; a < max_upsample_axes; ++a) {
    const ResampleRule& rule = plan.axes[a];
    ResampleAxis table = rule.in_double ? make_table<double>(rule) : make_table<float>(rule);
    tables.axes[a] = plan.is_gradient ? transposed(table) : std::move(table);
  }
  return tables;
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
