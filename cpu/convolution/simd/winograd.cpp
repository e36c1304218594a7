// Convolutions by 3 x 3 windows with stride 1, by Winograd's F(2 x 2, 3 x 3) (Lavin and Gray, 2016): four
// outputs take 16 products per pair of channels instead of 36. Its constants are 1/2 at worst, so sums lose
// hardly any bits.
//
//     4 x 4 inputs   d   ->  B' d B     16 components for each channel and window, windows two apart
//     3 x 3 weights  g   ->  G g G'     16 components for each pair of channels, once
//                        ->  M          for each component a matrix product over the channels, of a few tiles
//                                       of outputs at a time
//     2 x 2 outputs      =   A' M A
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pack.h>
#include <ATen/native/cpu/matmul/gemm.h>

#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace conv_detail;

constexpr int components = 16;
constexpr int n = lanes<float>;
constexpr int64_t most_width = panel_width<float>;
using V = Vec<float>;

// to = B' d B for the 4 x 4 elements from[step * (4 * i + j)].
void transform_input(const float* from, int64_t from_step, float* to, int64_t to_step) {
  V rows[4][4];
  for (int j = 0; j < 4; ++j) {
    const V d0 = load(from + j * from_step), d1 = load(from + (4 + j) * from_step);
    const V d2 = load(from + (8 + j) * from_step), d3 = load(from + (12 + j) * from_step);
    rows[0][j] = d0 - d2, rows[1][j] = d1 + d2, rows[2][j] = d2 - d1, rows[3][j] = d1 - d3;
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    store(to + (4 * i) * to_step, rows[i][0] - rows[i][2]);
    store(to + (4 * i + 1) * to_step, rows[i][1] + rows[i][2]);
    store(to + (4 * i + 2) * to_step, rows[i][2] - rows[i][1]);
    store(to + (4 * i + 3) * to_step, rows[i][1] - rows[i][3]);
  }
}

// to = G g G' for the 3 x 3 elements from[step * (3 * i + j)].
void transform_weight(const float* from, int64_t from_step, float* to, int64_t to_step) {
  V rows[4][3];
  for (int j = 0; j < 3; ++j) {
    const V g0 = load(from + j * from_step), g1 = load(from + (3 + j) * from_step);
    const V g2 = load(from + (6 + j) * from_step), half = 0.5f * (g0 + g2);
    rows[0][j] = g0, rows[1][j] = half + 0.5f * g1, rows[2][j] = half - 0.5f * g1, rows[3][j] = g2;
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const V half = 0.5f * (rows[i][0] + rows[i][2]);
    store(to + (4 * i) * to_step, rows[i][0]);
    store(to + (4 * i + 1) * to_step, half + 0.5f * rows[i][1]);
    store(to + (4 * i + 2) * to_step, half - 0.5f * rows[i][1]);
    store(to + (4 * i + 3) * to_step, rows[i][2]);
  }
}

// The 2 x 2 outputs A' m A of each tile, as two lines of pairs.
void transform_output(const float* from, int64_t from_step, float bias, float* first, float* second) {
  constexpr std::make_index_sequence<n> all;
  V rows[2][4];
  for (int j = 0; j < 4; ++j) {
    const V m0 = load(from + j * from_step), m1 = load(from + (4 + j) * from_step);
    const V m2 = load(from + (8 + j) * from_step), m3 = load(from + (12 + j) * from_step);
    rows[0][j] = m0 + m1 + m2, rows[1][j] = m1 - m2 - m3;
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const V even = rows[i][0] + rows[i][1] + rows[i][2] + bias,
            odd = rows[i][1] - rows[i][2] - rows[i][3] + bias;
    float* to = i == 0 ? first : second;
    store(to, zip_low<float>(even, odd, all));
    store(to + n, zip_high<float>(even, odd, all));
  }
}

// Taps in the order of their inputs, whatever their order in the layout.
template <class T>
void order_taps(ConvLayout& layout, const T*& weight) {
  for (ConvAxis* axis : {&layout.axes[1], &layout.axes[2]}) {
    if (axis->tap_step > 0) continue;
    axis->start -= 2;
    axis->tap_step = 1;
    weight += 2 * axis->tap_stride;
    axis->tap_stride = -axis->tap_stride;
  }
}

// The windows of the tiles as a convolution.
ConvLayout layout_of_tiles(ConvLayout layout) {
  for (ConvAxis* axis : {&layout.axes[1], &layout.axes[2]}) {
    axis->outputs = divup(axis->outputs, 2);
    axis->step = 2;
    axis->taps = 4;
    axis->output_stride *= 2;
  }
  return layout;
}

template <class T>
class Winograd {
 public:
  Winograd(const ConvLayout& layout, const T* input, const T* weight, const T* bias, T* output)
      : layout_(layout),
        tiles_(layout_of_tiles(layout)),
        input_(input),
        weight_(weight),
        output_(output),
        rows_(layout.out_channels),
        depth_(layout.in_channels),
        columns_(layout.batch * tiles_.positions()),
        // The components of a panel should stay in cache.
        width_(depth_ > 256 || columns_ <= n ? n : most_width),
        bias_(static_cast<size_t>(layout.groups * rows_), 0.0f) {
    if (bias != nullptr) bias_.assign(bias, bias + layout.groups * rows_);
    order_taps(layout_, weight_);
    for (int axis : {1, 2}) {
      tiles_.axes[axis].start = layout_.axes[axis].start, tiles_.axes[axis].tap_step = 1;
    }
  }

  // The smaller operand is transformed once for all: with few panels the inputs, so that weights are used as
  // soon as they are transformed.
  void run() {
    const int64_t row_tiles = divup(rows_, max_rows), panels = divup(columns_, width_),
                  groups = layout_.groups;
    if (panels <= few_panels) {
      float* inputs = scratch(GemmScratch::PackedA, groups * panels * inputs_size());
      at::parallel_for(0, groups * panels, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          pack_inputs(i / panels, panel(i % panels), inputs + i * inputs_size());
        }
      });
      at::parallel_for(0, groups * row_tiles, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) run_rows(i / row_tiles, i % row_tiles, inputs);
      });
      return;
    }
    float* weights = scratch(GemmScratch::PackedA, groups * row_tiles * tile_size());
    at::parallel_for(0, groups * row_tiles, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        pack_rows(i / row_tiles, i % row_tiles, weights + i * tile_size());
      }
    });
    at::parallel_for(0, groups * panels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) run_panel(i / panels, panel(i % panels), weights);
    });
  }

 private:
  static float* scratch(GemmScratch slot, int64_t count) {
    return static_cast<float*>(gemm_scratch(slot, static_cast<size_t>(count) * sizeof(float)));
  }

  static constexpr int64_t few_panels = 4;

  // Tiles of outputs side by side, as wide as a tile of the product.
  struct Panel {
    int64_t column, count;
    int found;
    Run runs[most_width];
  };
  Panel panel(int64_t index) const {
    Panel panel;
    panel.column = index * width_;
    panel.count = std::min(width_, columns_ - panel.column);
    panel.found = find_runs(tiles_, panel.column, panel.count, panel.runs);
    return panel;
  }

  int64_t inputs_size() const { return components * depth_ * width_; }
  // Whole vectors are stored, so each component is padded by a vector.
  int64_t component_size() const { return depth_ * max_rows + n; }
  int64_t tile_size() const { return components * component_size(); }

  void pack_rows(int64_t group, int64_t row_tile, float* to) const {
    const int64_t row = row_tile * max_rows, rows = std::min<int64_t>(max_rows, rows_ - row);
    const int64_t height = tile_height(rows);
    const T* from = weight_ + group * layout_.weight_group_stride + row * layout_.weight_out_stride;
    float* packed = scratch(GemmScratch::Accumulator, 9 * depth_ * max_rows + n);
    pack_weight(layout_, from, rows, height, packed);
    for (int64_t c = 0; c < depth_; ++c) {
      transform_weight(packed + 9 * c * height, height, to + c * height, component_size());
    }
  }

  void pack_inputs(int64_t group, const Panel& panel, float* to) const {
    float windows[components * most_width];
    const T* input = input_ + group * depth_ * layout_.input_channel_stride;
    for (int64_t c = 0; c < depth_; ++c, to += width_) {
      pack_columns(tiles_, input, panel.runs, panel.found, c * components, (c + 1) * components, width_,
                   windows);
      for (int64_t i = 0; i < width_; i += n) transform_input(windows + i, width_, to + i, depth_ * width_);
    }
  }

  void run_rows(int64_t group, int64_t row_tile, const float* inputs) const {
    float* weights = scratch(GemmScratch::PackedB, tile_size());
    pack_rows(group, row_tile, weights);
    const int64_t panels = divup(columns_, width_);
    for (int64_t i = 0; i < panels; ++i) {
      run_tile(group, row_tile, panel(i), weights, inputs + (group * panels + i) * inputs_size());
    }
  }

  void run_panel(int64_t group, const Panel& panel, const float* weights) const {
    float* inputs = scratch(GemmScratch::PackedB, inputs_size());
    pack_inputs(group, panel, inputs);
    const int64_t row_tiles = divup(rows_, max_rows);
    for (int64_t i = 0; i < row_tiles; ++i) {
      run_tile(group, i, panel, weights + (group * row_tiles + i) * tile_size(), inputs);
    }
  }

  void run_tile(int64_t group, int64_t row_tile, const Panel& panel, const float* weights,
                const float* inputs) const {
    const int64_t row = row_tile * max_rows, rows = std::min<int64_t>(max_rows, rows_ - row);
    float sums[components][max_rows * most_width];
    const auto run = tile_for<float>(rows, width_);
    for (int c = 0; c < components; ++c) {
      run(depth_, weights + c * component_size(), inputs + c * depth_ * width_, width_,
          TileStart<float>{false, nullptr}, rows, sums[c], width_);
    }
    for (int64_t i = 0; i < rows; ++i) {
      write_row(sums[0] + i * width_, group * rows_ + row + i, panel.runs, panel.found);
    }
  }

  void write_row(const float* sums, int64_t channel, const Run* runs, int found) const {
    float lines[2][2 * most_width];
    for (int64_t i = 0; i < width_; i += n) {
      transform_output(sums + i, max_rows * most_width, bias_[static_cast<size_t>(channel)], lines[0] + 2 * i,
                       lines[1] + 2 * i);
    }
    const ConvAxis *y = &layout_.axes[1], *x = &layout_.axes[2];
    T* output = output_ + channel * layout_.output_channel_stride;
    for (int r = 0; r < found; ++r) {
      const int64_t at_y = runs[r].at[1] - y->start, at_x = runs[r].at[2] - x->start;
      const int64_t count = std::min(2 * runs[r].count, x->outputs - at_x);
      for (int64_t i = 0; i < std::min<int64_t>(2, y->outputs - at_y); ++i) {
        T* to = output + runs[r].output + i * y->output_stride;
        const float* from = lines[i] + 2 * runs[r].column;
        if (x->output_stride == 1) {
          copy_line(from, 1, count, to);
        } else {
          for (int64_t j = 0; j < count; ++j) to[j * x->output_stride] = static_cast<T>(from[j]);
        }
      }
    }
  }

  ConvLayout layout_, tiles_;
  const T* input_;
  const T* weight_;
  T* output_;
  int64_t rows_, depth_, columns_, width_;
  std::vector<float> bias_;
};

// Enough channels to pay for the transformations, and enough tiles for those of the weights.
bool pays(const ConvLayout& layout) {
  const ConvAxis& z = layout.axes[0];
  if (z.taps != 1 || layout.in_channels < 16 || layout.in_channels * layout.out_channels < 1024) return false;
  for (const ConvAxis* axis : {&layout.axes[1], &layout.axes[2]}) {
    if (axis->taps != 3 || axis->step != 1 || std::abs(axis->tap_step) != 1 || axis->outputs < 4) {
      return false;
    }
  }
  return layout.batch * layout.positions() >= 36;
}

template <class T>
bool run(const ConvLayout& layout, const void* input, const void* weight, const void* bias, void* output) {
  Winograd<T>(layout, static_cast<const T*>(input), static_cast<const T*>(weight),
              static_cast<const T*>(bias), static_cast<T*>(output))
      .run();
  return true;
}

}  // namespace

bool conv_gather_by_winograd(c10::ScalarType type, const ConvLayout& layout, const void* input,
                             const void* weight, const void* bias, void* output) {
  if (!pays(layout)) return false;
  switch (type) {
    case c10::ScalarType::Float:
      return run<float>(layout, input, weight, bias, output);
    case c10::ScalarType::Half:
      return run<c10::Half>(layout, input, weight, bias, output);
    case c10::ScalarType::BFloat16:
      return run<c10::BFloat16>(layout, input, weight, bias, output);
    default:
      return false;
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
