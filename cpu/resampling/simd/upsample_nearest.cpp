// Nearest-neighbour resampling: repeated rows are copied, elements within a row are selected.
#include <ATen/Parallel.h>
#include <ATen/native/cpu/resampling/resample_rows.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Word: an unsigned integer as wide as an element.
template <class Word>
class Picker {
 public:
  Picker(const Resampling& plan, const void* input, void* output)
      : plan_(plan),
        input_(static_cast<const Word*>(input)),
        output_(static_cast<Word*>(output)),
        last_(plan.axes[2], plan.axes[2].count, plan.inner) {
    const ResampleAxis& axis = plan.axes[2];
    doubles_ = plan.inner == 1 && axis.output == 2 * axis.input;
    for (int64_t i = 0; i < axis.output && doubles_; ++i) doubles_ = axis.index[i] == i / 2;
  }

  void rows(int64_t first, int64_t end) const {
    const ResampleAxis &depth = plan_.axes[0], &height = plan_.axes[1];
    std::vector<Word> buffer(static_cast<size_t>(last_.in_width() + row_slack<Word>), Word(0));
    const Word* previous = nullptr;
    for (int64_t index = first; index < end; ++index) {
      const int64_t plane = index / height.output;
      const int64_t d = depth.index[plane % depth.output], h = height.index[index % height.output];
      const int64_t row = (plane / depth.output * depth.input + d) * height.input + h;
      const Word* from = input_ + row * last_.in_width();
      Word* to = output_ + index * last_.width();
      if (from == previous) {
        std::memcpy(to, to - last_.width(), static_cast<size_t>(last_.width()) * sizeof(Word));
      } else {
        pick(from, to, buffer.data());
      }
      previous = from;
    }
  }

 private:
  void pick(const Word* from, Word* to, Word* buffer) const {
    const ResampleAxis& axis = plan_.axes[2];
    if (doubles_) {
      for (int64_t i = 0; i < axis.input; ++i) to[2 * i] = to[2 * i + 1] = from[i];
    } else if (plan_.inner >= RowTaps<Word>::vector) {
      const int64_t n = plan_.inner;
      for (int64_t i = 0; i < axis.output; ++i) {
        std::memcpy(to + i * n, from + axis.index[i] * n, static_cast<size_t>(n) * sizeof(Word));
      }
    } else {
      std::memcpy(buffer, from, static_cast<size_t>(last_.in_width()) * sizeof(Word));
      last_.pick(buffer, [to](int64_t i, Word value) { to[i] = value; });
    }
  }

  const Resampling& plan_;
  const Word* input_;
  Word* output_;
  RowTaps<Word> last_;
  bool doubles_;
};

template <class Word>
void pick_rows(const TensorBase& output, const TensorBase& input, const Resampling& plan) {
  const Picker<Word> picker(plan, input.const_data_ptr(), output.mutable_data_ptr());
  const int64_t width = std::max<int64_t>(plan.axes[2].output * plan.inner, 1);
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / width);
  at::parallel_for(0, plan.outer * plan.axes[0].output * plan.axes[1].output, grain,
                   [&](int64_t first, int64_t end) { picker.rows(first, end); });
}

void pick_kernel(const TensorBase& output, const TensorBase& input, const ResamplePlan& rules) {
  const Resampling plan = tables_of(rules);
  switch (output.element_size()) {
    case 1:
      return pick_rows<uint8_t>(output, input, plan);
    case 2:
      return pick_rows<uint16_t>(output, input, plan);
    case 4:
      return pick_rows<uint32_t>(output, input, plan);
    default:
      return pick_rows<uint64_t>(output, input, plan);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pick_stub, &pick_kernel)

}  // namespace at::native
