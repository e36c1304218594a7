// Gradients of convolutions' weights: products of the output's gradient with the columns, both transposed
// while they are packed, summed over blocks of positions.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pack.h>
#include <ATen/native/cpu/matmul/gemm.h>

#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace conv_detail;

constexpr int64_t block_positions = 256, block_panels = 8;

template <class T, class Acc>
class PackedWeight {
 public:
  PackedWeight(const ConvLayout& layout, const T* input, const T* grad_output, T* grad_weight)
      : layout_(merge_axes(layout)),
        input_(input),
        grad_output_(grad_output),
        grad_weight_(grad_weight),
        rows_(layout.out_channels),
        row_step_(rows_per_tile(rows_)),
        columns_(layout.in_channels * layout.taps()),
        pitch_(round_up(columns_, width)),
        positions_(layout.batch * layout.positions()),
        dense_(has_dense_output(layout)),
        direct_(std::is_same_v<T, Acc> && has_dense_weight(layout)) {
    const auto scratch = [](GemmScratch slot, int64_t count) {
      return static_cast<Acc*>(gemm_scratch(slot, static_cast<size_t>(count) * sizeof(Acc)));
    };
    sums_ = scratch(GemmScratch::Accumulator, rows_ * (direct_ ? width : pitch_));
    packed_grad_ = scratch(GemmScratch::PackedA, round_up(rows_, 2) * block_positions + lanes<Acc>);
  }

  void run() {
    const int64_t panels = pitch_ / width;
    const int64_t per_task = std::clamp<int64_t>(divup(panels, at::get_num_threads()), 1, block_panels);
    for (group_ = 0; group_ < layout_.groups; ++group_) {
      for (begin_ = 0; begin_ < positions_; begin_ = end_) {
        end_ = std::min(positions_, begin_ + block_positions);
        pack_grad();
        at::parallel_for(0, divup(panels, per_task), 1, [&](int64_t first, int64_t last) {
          for (int64_t task = first; task < last; ++task) {
            run_block(task * per_task, std::min(panels, (task + 1) * per_task));
          }
        });
      }
      write();
    }
  }

 private:
  static constexpr int64_t width = panel_width<Acc>;

  // The output's gradient at the block's positions, in panels as high as the tiles that read them.
  void pack_grad() {
    const int64_t depth = end_ - begin_;
    const T* grad = grad_output_ + group_ * rows_ * layout_.output_channel_stride;
    for (int64_t row = 0; row < rows_; row += row_step_) {
      const int64_t rows = std::min(row_step_, rows_ - row), height = tile_height(rows);
      const T* lines = grad + row * layout_.output_channel_stride;
      Acc* to = packed_grad_ + row * depth;
      for (int64_t position = begin_; position < end_;) {
        Run runs[width];
        const int64_t image_end = round_up(position + 1, layout_.positions());
        const bool whole = dense_ && position < image_end;
        const int64_t count = std::min(whole ? image_end : position + width, end_) - position;
        const int found = find_runs(layout_, position, whole ? 1 : count, runs);
        for (int r = 0; r < found; ++r) {
          pack_run(lines + runs[r].output, whole ? count : runs[r].count, rows, height,
                   to + (position - begin_ + runs[r].column) * height);
        }
        position += count;
      }
    }
  }

  void pack_run(const T* from, int64_t count, int64_t rows, int64_t height, Acc* to) const {
    const int64_t line = layout_.output_channel_stride, step = dense_ ? 1 : layout_.axes[2].output_stride;
    if (step == 1) return interleave_lines(from, line, rows, count, height, to);
    for (int64_t p = 0; p < count; ++p) {
      for (int64_t i = 0; i < height; ++i) {
        to[p * height + i] = i < rows ? load_one<Acc>(from + i * line + p * step) : Acc(0);
      }
    }
  }

  // Where a panel's sums are: in the gradient itself if possible, else in scratch memory.
  struct Target {
    Acc* data;
    int64_t pitch;
  };
  Target target(int64_t row, int64_t panel) const {
    if constexpr (std::is_same_v<T, Acc>) {
      if (direct_ && (panel + 1) * width <= columns_) {
        const int64_t stride = layout_.weight_out_stride;
        return {grad_weight_ + group_ * layout_.weight_group_stride + row * stride + panel * width, stride};
      }
    }
    return direct_ ? Target{sums_ + row * width, width}
                   : Target{sums_ + row * pitch_ + panel * width, pitch_};
  }

  void run_block(int64_t first_panel, int64_t last_panel) const {
    const int64_t panels = last_panel - first_panel;
    Acc* packed = static_cast<Acc*>(gemm_scratch(
        GemmScratch::PackedB, static_cast<size_t>(panels * width * (block_positions + width)) * sizeof(Acc)));
    pack_input(first_panel, last_panel, packed, packed + panels * width * block_positions);
    const int64_t depth = end_ - begin_;
    for (int64_t row = 0; row < rows_; row += row_step_) {
      const int64_t rows = std::min(row_step_, rows_ - row);
      for (int64_t panel = 0; panel < panels; ++panel) {
        const Target to = target(row, first_panel + panel);
        tile_for<Acc>(rows, width)(depth, packed_grad_ + row * depth,
                                   packed + panel * width * block_positions, width,
                                   TileStart<Acc>{begin_ > 0, nullptr}, rows, to.data, to.pitch);
      }
    }
  }

  // Columns of a few positions, transposed into panels of `width` rows of the matrix.
  void pack_input(int64_t first_panel, int64_t last_panel, Acc* packed, Acc* columns) const {
    constexpr int n = lanes<Acc>;
    const int64_t first = first_panel * width, last = std::min(columns_, last_panel * width);
    const T* input = input_ + group_ * layout_.in_channels * layout_.input_channel_stride;
    std::fill(columns + (last - first) * width, columns + (last_panel * width - first) * width, Acc(0));
    for (int64_t position = begin_; position < end_; position += width) {
      Run runs[width];
      const int64_t count = std::min(width, end_ - position);
      const int found = find_runs(layout_, position, count, runs);
      pack_columns(layout_, input, runs, found, first, last, width, columns);
      for (int64_t row = 0; row < last_panel * width - first; row += n) {
        Acc* panel =
            packed + row / width * width * block_positions + (position - begin_) * width + row % width;
        for (int64_t column = 0; column < count; column += n) {
          Vec<Acc> line[n];
          for (int i = 0; i < n; ++i) line[i] = load(columns + (row + i) * width + column);
          transpose_lines<Acc>(line);
          for (int i = 0; i < n; ++i) store(panel + (column + i) * width, line[i]);
        }
      }
    }
  }

  void write() const {
    T* to = grad_weight_ + group_ * layout_.weight_group_stride;
    const int64_t first = direct_ ? columns_ / width * width : 0;
    std::vector<int64_t> offsets;
    for_each_weight(layout_, [&](int64_t, int64_t offset) { offsets.push_back(offset); });
    for (int64_t i = 0; i < rows_; ++i, to += layout_.weight_out_stride) {
      const Acc* from = target(i, first / width).data;
      for (int64_t p = first; p < columns_; ++p) {
        to[offsets[static_cast<size_t>(p)]] = static_cast<T>(from[p - first]);
      }
    }
  }

  ConvLayout layout_;
  const T* input_;
  const T* grad_output_;
  T* grad_weight_;
  int64_t rows_, row_step_, columns_, pitch_, positions_, group_ = 0, begin_ = 0, end_ = 0;
  bool dense_, direct_;
  Acc* sums_;
  Acc* packed_grad_;
};

template <class T, class Acc>
void weight_gradient(const ConvLayout& layout, const void* input, const void* grad_output,
                     void* grad_weight) {
  PackedWeight<T, Acc>(layout, static_cast<const T*>(input), static_cast<const T*>(grad_output),
                       static_cast<T*>(grad_weight))
      .run();
}

void conv_weight(c10::ScalarType type, const ConvLayout& layout, const void* input, const void* grad_output,
                 void* grad_weight) {
  if (conv_weight_narrow(type, layout, input, grad_output, grad_weight)) return;
  if (conv_weight_directly(type, layout, input, grad_output, grad_weight)) return;
  if (type == c10::ScalarType::BFloat16 && conv_weight_by_pairs(layout, input, grad_output, grad_weight)) {
    return;
  }
  switch (type) {
    case c10::ScalarType::Float:
      return weight_gradient<float, float>(layout, input, grad_output, grad_weight);
    case c10::ScalarType::Double:
      return weight_gradient<double, double>(layout, input, grad_output, grad_weight);
    case c10::ScalarType::Long:
      return weight_gradient<uint64_t, uint64_t>(layout, input, grad_output, grad_weight);
    case c10::ScalarType::Half:
      return weight_gradient<c10::Half, float>(layout, input, grad_output, grad_weight);
    case c10::ScalarType::BFloat16:
      return weight_gradient<c10::BFloat16, float>(layout, input, grad_output, grad_weight);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "\"convolution_backward_cpu\" not implemented for '",
                                  c10::toString(type), "'");
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(conv_weight_stub, &conv_weight)

}  // namespace at::native
