// Resampling of uint8 with 16-bit fixed-point weights: the last axis first, then the one before it.
#include <ATen/Parallel.h>
#include <ATen/native/cpu/resampling/resample_rows.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

struct Rounded {
  int places;

  uint8_t operator()(int32_t sum) const {
    const int32_t half = places > 0 ? 1 << (places - 1) : 0;
    return static_cast<uint8_t>(std::clamp((sum + half) >> places, 0, 255));
  }
};

void resample_rows(const ResampleAxis& axis, int64_t rows, int64_t inner, const uint8_t* input,
                   uint8_t* output) {
  const FixedPointWeights weights = fixed_point_weights(axis);
  const RowTaps<int32_t> taps(axis, weights.weight, inner);
  const Rounded rounded{weights.places};
  const int64_t grain =
      std::max<int64_t>(1, at::internal::GRAIN_SIZE / (4 * std::max<int64_t>(taps.width(), 1)));
  at::parallel_for(0, rows, grain, [&](int64_t first, int64_t end) {
    std::vector<int32_t> row(static_cast<size_t>(taps.in_width() + row_slack<int32_t>), 0);
    for (int64_t i = first; i < end; ++i) {
      const uint8_t* from = input + i * taps.in_width();
      for (int64_t x = 0; x < taps.in_width(); ++x) row[x] = from[x];
      uint8_t* to = output + i * taps.width();
      taps.apply(row.data(), [to, rounded](int64_t x, int32_t sum) { to[x] = rounded(sum); });
    }
  });
}

void resample_columns(const ResampleAxis& axis, int64_t planes, int64_t width, const uint8_t* input,
                      uint8_t* output) {
  const FixedPointWeights weights = fixed_point_weights(axis);
  const Rounded rounded{weights.places};
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / (4 * std::max<int64_t>(width, 1)));
  at::parallel_for(0, planes * axis.output, grain, [&](int64_t first, int64_t end) {
    std::vector<const uint8_t*> sources(static_cast<size_t>(axis.taps));
    std::vector<int32_t> factors(static_cast<size_t>(axis.taps));
    for (int64_t index = first; index < end; ++index) {
      const int64_t plane = index / axis.output, i = index % axis.output;
      for (int64_t k = 0; k < axis.count[i]; ++k) {
        const int64_t place = k * axis.output + i;
        sources[k] = input + (plane * axis.input + axis.index[place]) * width;
        factors[k] = weights.weight[place];
      }
      uint8_t* to = output + index * width;
      blend_rows<int32_t>(sources.data(), factors.data(), axis.count[i], width,
                          [to, rounded](int64_t x, int32_t sum) { to[x] = rounded(sum); });
    }
  });
}

void resample_bytes_kernel(const TensorBase& output, const TensorBase& input, const ResamplePlan& rules) {
  const Resampling plan = tables_of(rules);
  const ResampleAxis &height = plan.axes[1], &width = plan.axes[2];
  const int64_t row = width.output * plan.inner;
  std::vector<uint8_t> between(static_cast<size_t>(plan.outer * height.input * row));
  resample_rows(width, plan.outer * height.input, plan.inner, input.const_data_ptr<uint8_t>(),
                between.data());
  resample_columns(height, plan.outer, row, between.data(), output.mutable_data_ptr<uint8_t>());
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(resample_bytes_stub, &resample_bytes_kernel)

}  // namespace at::native
