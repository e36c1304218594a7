// Resampling of floating-point tensors: for each row of the result a weighted sum of input rows, then of the
// elements within. Gradients are the same with the axes' roles exchanged.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/resampling/resample_rows.h>
#include <ATen/native/math/types.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
class Resampler {
 public:
  using Acc = ufunc::opmath<T>;

  Resampler(const Resampling& plan, const T* input, T* output)
      : plan_(plan),
        input_(input),
        end_(input + plan.outer * plan.axes[0].input * plan.axes[1].input * plan.axes[2].input * plan.inner),
        output_(output),
        last_(plan.axes[2], plan.axes[2].weight, plan.inner),
        copies_(plan.axes[2].input == plan.axes[2].output && is_identity(plan.axes[2])) {}

  void rows(int64_t first, int64_t end) const {
    const int64_t in_width = last_.in_width();
    std::vector<Acc> row(static_cast<size_t>(in_width + row_slack<Acc>), Acc(0));
    std::vector<const T*> sources;
    std::vector<Acc> weights;
    for (int64_t index = first; index < end; ++index) {
      find_sources(index, sources, weights);
      const auto n = static_cast<int64_t>(sources.size());
      T* out = output_ + index * last_.width();
      const RowStore<Acc, T> to_output{out};
      if (copies_) {
        blend_rows<Acc>(sources.data(), weights.data(), n, in_width, to_output);
        continue;
      }
      Acc* const buffer = row.data();
      if (in_width < lanes<Acc>) {
        store<Acc>(buffer, blend_narrow_rows(sources.data(), weights.data(), n, in_width, end_));
      } else {
        blend_rows<Acc>(sources.data(), weights.data(), n, in_width, RowStore<Acc, Acc>{buffer});
      }
      // What a whole vector writes beyond a narrow row is overwritten by the next ones.
      if (last_.narrow() && (end - index) * last_.width() >= lanes<Acc>) {
        store_as<Acc>(out, last_.sum_of(buffer, 0));
      } else {
        last_.apply(buffer, to_output);
      }
    }
  }

 private:
  static bool is_identity(const ResampleAxis& axis) {
    if (axis.taps != 1) return false;
    for (int64_t i = 0; i < axis.output; ++i) {
      if (axis.index[i] != i || axis.weight[i] != 1) return false;
    }
    return true;
  }

  // The input rows whose sum a row of the output is.
  void find_sources(int64_t index, std::vector<const T*>& sources, std::vector<Acc>& weights) const {
    const ResampleAxis &depth = plan_.axes[0], &height = plan_.axes[1];
    const int64_t plane = index / height.output, h = index % height.output;
    const int64_t block = plane / depth.output, d = plane % depth.output;
    sources.clear();
    weights.clear();
    for (int64_t i = 0; i < depth.count[d]; ++i) {
      const int64_t from_d = i * depth.output + d;
      for (int64_t j = 0; j < height.count[h]; ++j) {
        const int64_t from_h = j * height.output + h;
        const int64_t row = (block * depth.input + depth.index[from_d]) * height.input + height.index[from_h];
        sources.push_back(input_ + row * last_.in_width());
        weights.push_back(static_cast<Acc>(depth.weight[from_d]) * static_cast<Acc>(height.weight[from_h]));
      }
    }
  }

  const Resampling& plan_;
  const T *input_, *end_;
  T* output_;
  RowTaps<Acc> last_;
  bool copies_;  // the last axis is unchanged
};

void resample_kernel(const TensorBase& output, const TensorBase& input, const ResamplePlan& rules) {
  const Resampling plan = tables_of(rules);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "upsample", [&] {
    const Resampler<scalar_t> resampler(plan, input.const_data_ptr<scalar_t>(),
                                        output.mutable_data_ptr<scalar_t>());
    const int64_t width = std::max<int64_t>(plan.axes[2].output * plan.inner, 1);
    const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / (4 * width));
    at::parallel_for(0, plan.outer * plan.axes[0].output * plan.axes[1].output, grain,
                     [&](int64_t first, int64_t end) { resampler.rows(first, end); });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(resample_stub, &resample_kernel)

}  // namespace at::native
