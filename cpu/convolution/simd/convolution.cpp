// Convolutions as products of the weights with columns that are packed a few panels at a time, so that they
// stay in cache; grouped ones of few channels are computed directly (direct.cpp).
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

constexpr int64_t block_depth = 256, block_panels = 8;

template <class T, class Acc>
class PackedGather {
 public:
  PackedGather(const ConvLayout& layout, const T* input, const T* weight, const T* bias, T* output)
      : layout_(merge_axes(layout)),
        input_(input),
        weight_(weight),
        output_(output),
        rows_(layout.out_channels),
        row_step_(rows_per_tile(rows_)),
        depth_(layout.in_channels * layout.taps()),
        columns_(layout.batch * layout.positions()),
        dense_(has_dense_output(layout)) {
    // Sums of 16-bit floats must not be rounded between blocks.
    const int64_t blocks = std::is_same_v<T, Acc> ? std::max<int64_t>(1, divup(depth_, block_depth)) : 1;
    depth_per_block_ = std::max<int64_t>(1, divup(depth_, blocks));
    group_size_ = round_up(rows_, 2) * depth_ + lanes<Acc>;
    if (bias != nullptr) bias_.assign(bias, bias + layout.groups * rows_);
  }

  void run() {
    pack_weights();
    const int64_t panels = divup(columns_, width);
    const int64_t wanted = std::max<int64_t>(1, at::get_num_threads() / layout_.groups);
    const int64_t fitting = block_depth * block_panels / depth_per_block_;
    panels_per_task_ =
        std::clamp<int64_t>(divup(panels, wanted), 1, std::clamp<int64_t>(fitting, 1, block_panels));
    const int64_t tasks = divup(panels, panels_per_task_);
    at::parallel_for(0, tasks * layout_.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        run_block(task / tasks, task % tasks * panels_per_task_ * width);
      }
    });
  }

 private:
  static constexpr int64_t width = panel_width<Acc>;

  // The panels of one task and what is packed of them.
  struct Block {
    int64_t group, panels;
    Acc* packed;
    int64_t first[block_panels], count[block_panels];
    int runs_in[block_panels];
    Run runs[block_panels][width];
  };

  void pack_weights() {
    const int64_t bytes = layout_.groups * group_size_ * static_cast<int64_t>(sizeof(Acc));
    packed_weight_ = static_cast<Acc*>(gemm_scratch(GemmScratch::PackedA, static_cast<size_t>(bytes)));
    at::parallel_for(0, layout_.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t group = begin; group < end; ++group) {
        for (int64_t row = 0; row < rows_; row += row_step_) {
          const int64_t rows = std::min(row_step_, rows_ - row);
          pack_weight(layout_,
                      weight_ + group * layout_.weight_group_stride + row * layout_.weight_out_stride, rows,
                      tile_height(rows), packed_weight_ + group * group_size_ + row * depth_);
        }
      }
    });
  }

  void run_block(int64_t group, int64_t column) const {
    Block block;
    block.group = group;
    block.panels = std::min(panels_per_task_, divup(columns_ - column, width));
    const int64_t panel_size = depth_per_block_ * width;
    block.packed = static_cast<Acc*>(
        gemm_scratch(GemmScratch::PackedB, static_cast<size_t>(block.panels * panel_size) * sizeof(Acc)));
    for (int64_t panel = 0; panel < block.panels; ++panel) {
      block.first[panel] = column + panel * width;
      block.count[panel] = std::min(width, columns_ - block.first[panel]);
      block.runs_in[panel] = find_runs(layout_, block.first[panel], block.count[panel], block.runs[panel]);
    }
    int64_t begin = 0;
    do {
      const int64_t end = std::min(depth_, begin + depth_per_block_);
      for (int64_t panel = 0; panel < block.panels; ++panel) {
        pack_columns(layout_, input_ + group * layout_.in_channels * layout_.input_channel_stride,
                     block.runs[panel], block.runs_in[panel], begin, end, width,
                     block.packed + panel * panel_size);
      }
      for (int64_t row = 0; row < rows_; row += row_step_) {
        for (int64_t panel = 0; panel < block.panels; ++panel) run_tile(block, panel, row, begin, end);
      }
      begin = end;
    } while (begin < depth_);
  }

  void run_tile(const Block& block, int64_t panel, int64_t row, int64_t begin, int64_t end) const {
    const int64_t rows = std::min(row_step_, rows_ - row), channel = block.group * rows_ + row;
    const Acc* a = packed_weight_ + block.group * group_size_ + row * depth_ + begin * tile_height(rows);
    const Acc* b = block.packed + panel * depth_per_block_ * width;
    const TileStart<Acc> start{begin > 0, bias_.empty() ? nullptr : bias_.data() + channel};
    const auto run = tile_for<Acc>(rows, block.count[panel]);
    T* output = output_ + channel * layout_.output_channel_stride;
    const Run* runs = block.runs[panel];
    if constexpr (std::is_same_v<T, Acc>) {
      const bool one_image = dense_ && block.first[panel] / layout_.positions() ==
                                           (block.first[panel] + width - 1) / layout_.positions();
      if (one_image && block.count[panel] == width) {
        return run(end - begin, a, b, width, start, rows, output + runs[0].output,
                   layout_.output_channel_stride);
      }
    }
    Acc buffer[max_rows * width];
    if (begin > 0) exchange(runs, block.runs_in[panel], rows, output, buffer, /*write=*/false);
    run(end - begin, a, b, width, start, rows, buffer, width);
    exchange(runs, block.runs_in[panel], rows, output, buffer, /*write=*/true);
  }

  // Copies the tile's part of the output from or to the buffer.
  void exchange(const Run* runs, int count, int64_t rows, T* output, Acc* buffer, bool write) const {
    const int64_t stride = layout_.axes[2].output_stride;
    for (int64_t row = 0; row < rows; ++row, output += layout_.output_channel_stride, buffer += width) {
      for (int r = 0; r < count; ++r) {
        T* there = output + runs[r].output;
        Acc* here = buffer + runs[r].column;
        if (!write) {
          for (int64_t i = 0; i < runs[r].count; ++i) here[i] = load_one<Acc>(there + i * stride);
        } else if (stride == 1) {
          convert(here, there, runs[r].count);
        } else {
          for (int64_t i = 0; i < runs[r].count; ++i) store_one(there + i * stride, here[i]);
        }
      }
    }
  }

  ConvLayout layout_;
  const T* input_;
  const T* weight_;
  T* output_;
  int64_t rows_, row_step_, depth_, columns_, depth_per_block_, group_size_, panels_per_task_;
  bool dense_;
  std::vector<Acc> bias_;
  Acc* packed_weight_;
};

template <class T, class Acc>
void gather(const ConvLayout& layout, const void* input, const void* weight, const void* bias, void* output) {
  PackedGather<T, Acc>(layout, static_cast<const T*>(input), static_cast<const T*>(weight),
                       static_cast<const T*>(bias), static_cast<T*>(output))
      .run();
}

void conv_gather(c10::ScalarType type, const ConvLayout& layout, const void* input, const void* weight,
                 const void* bias, void* output) {
  if (layout.groups * layout.out_channels * layout.batch * layout.positions() == 0) return;
  if (conv_gather_channels_last(type, layout, input, weight, bias, output)) return;
  const bool is_bfloat16 = type == c10::ScalarType::BFloat16;
  if (is_bfloat16 && has_channels_last(layout) &&
      conv_gather_rows_by_pairs(layout, input, weight, bias, output)) {
    return;
  }
  if (conv_gather_by_positions(type, layout, input, weight, bias, output)) return;
  if (conv_gather_narrow(type, layout, input, weight, bias, output)) return;
  if (conv_gather_directly(type, layout, input, weight, bias, output)) return;
  if (is_bfloat16 && conv_gather_by_pairs(layout, input, weight, bias, output)) return;
  if (conv_gather_by_winograd(type, layout, input, weight, bias, output)) return;
  switch (type) {
    case c10::ScalarType::Float:
      return gather<float, float>(layout, input, weight, bias, output);
    case c10::ScalarType::Double:
      return gather<double, double>(layout, input, weight, bias, output);
    case c10::ScalarType::Long:  // modulo 2^64
      return gather<uint64_t, uint64_t>(layout, input, weight, bias, output);
    case c10::ScalarType::Half:
      return gather<c10::Half, float>(layout, input, weight, bias, output);
    case c10::ScalarType::BFloat16:
      return gather<c10::BFloat16, float>(layout, input, weight, bias, output);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "\"convolution_cpu\" not implemented for '", c10::toString(type),
                                  "'");
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(conv_gather_stub, &conv_gather)

}  // namespace at::native
