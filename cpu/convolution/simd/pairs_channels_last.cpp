// Convolutions of bfloat16 with channels last, as products by pairs: the windows of some output positions are
// the rows of the left side, the weights are packed once as the right one. An element of a row is a tap and
// an input channel.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pairs.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

#ifdef HAS_PAIR_PRODUCTS

namespace {

using namespace conv_detail;

C10_ALWAYS_INLINE void copy_elements(const BFloat16* from, int64_t count, BFloat16* to) {
  for (int64_t i = 0; i < count; i += 32) {
    const __mmask32 mask = gemm_detail::wide_mask(count - i);
    _mm512_mask_storeu_epi16(to + i, mask, _mm512_maskz_loadu_epi16(mask, from + i));
  }
}

// Writes the windows of positions as rows.
class WindowRows {
 public:
  explicit WindowRows(const ConvLayout& layout)
      : layout_(layout),
        x_(layout.axes[2]),
        channels_(layout.in_channels),
        depth_(channels_ * layout.taps()),
        joined_(x_.tap_step == 1 && x_.input_stride == channels_) {}

  // Positions [first, first + count), numbered through all images; `to` has a row for each.
  void write(const BFloat16* input, int64_t first, int64_t count, BFloat16* to) const {
    std::vector<Run> runs(static_cast<size_t>(count));
    const int found = find_runs(layout_, first, count, runs.data());
    const ConvAxis *y = &layout_.axes[1], *z = &layout_.axes[0];
    for (int r = 0; r < found; ++r) {
      const Run& run = runs[static_cast<size_t>(r)];
      for (int64_t line = 0; line < z->taps * y->taps; ++line) {
        const int64_t at_z = run.at[0] + line / y->taps * z->tap_step,
                      at_y = run.at[1] + line % y->taps * y->tap_step;
        const bool inside = at_z >= 0 && at_z < z->inputs && at_y >= 0 && at_y < y->inputs;
        const BFloat16* from = input + run.input + at_z * z->input_stride + at_y * y->input_stride;
        BFloat16* row = to + run.column * depth_ + line * x_.taps * channels_;
        for (int64_t i = 0; i < run.count; ++i, row += depth_) {
          if (inside) {
            write_line(from, run.at[2] + i * x_.step, row);
          } else {
            std::fill_n(row, x_.taps * channels_, BFloat16(0));
          }
        }
      }
    }
  }

 private:
  // The taps of one line of the input, from coordinate x on.
  C10_ALWAYS_INLINE void write_line(const BFloat16* from, int64_t x, BFloat16* to) const {
    const int64_t last = x + (x_.taps - 1) * x_.tap_step;
    if (joined_ && x >= 0 && last < x_.inputs) {
      return copy_elements(from + x * x_.input_stride, x_.taps * channels_, to);
    }
    for (int64_t t = 0; t < x_.taps; ++t, x += x_.tap_step, to += channels_) {
      if (x >= 0 && x < x_.inputs) {
        copy_elements(from + x * x_.input_stride, channels_, to);
      } else {
        std::fill_n(to, channels_, BFloat16(0));
      }
    }
  }

  const ConvLayout& layout_;
  const ConvAxis& x_;
  int64_t channels_, depth_;
  bool joined_;  // the taps of a line read one stretch of memory
};

// The offsets of a window's weights, tap by tap.
std::vector<int64_t> weight_offsets(const ConvLayout& layout) {
  std::vector<int64_t> offsets;
  const ConvAxis* axes = layout.axes;
  for (int64_t t = 0; t < layout.taps(); ++t) {
    const int64_t x = t % axes[2].taps, y = t / axes[2].taps % axes[1].taps,
                  z = t / axes[2].taps / axes[1].taps;
    const int64_t tap = z * axes[0].tap_stride + y * axes[1].tap_stride + x * axes[2].tap_stride;
    for (int64_t c = 0; c < layout.in_channels; ++c) {
      offsets.push_back(tap + c * layout.weight_in_stride);
    }
  }
  return offsets;
}

template <class Product>
class RowGather {
 public:
  RowGather(const ConvLayout& layout, const BFloat16* input, const BFloat16* weight, const BFloat16* bias,
            BFloat16* output)
      : layout_(layout),
        windows_(layout_),
        input_(input),
        weight_(weight),
        bias_(bias),
        output_(output),
        results_(layout.out_channels),
        depth_(layout.in_channels * layout.taps()),
        positions_(layout.batch * layout.positions()),
        panels_per_block_(
            std::clamp<int64_t>(most_packed / (pair_panel * depth_), 1, divup(results_, pair_panel))),
        dense_(has_dense_positions(layout)) {}

  void run() {
    pack_weights();
    constexpr int64_t most_rows = 512, most_elements = int64_t(1) << 18;
    const int64_t threads = at::get_num_threads();
    const int64_t fitting = std::clamp<int64_t>(most_elements / depth_, pair_panel, most_rows);
    const int64_t wanted = round_up(divup(positions_ * layout_.groups, threads), pair_panel);
    const int64_t rows = std::min(round_up(fitting, pair_panel), wanted), blocks = divup(positions_, rows);
    at::parallel_for(0, layout_.groups * blocks, 1, [&](int64_t begin, int64_t end) {
      [[maybe_unused]] const typename Product::Registers registers;
      for (int64_t task = begin; task < end; ++task) {
        const int64_t first = task % blocks * rows;
        run_block(task / blocks, first, std::min(rows, positions_ - first));
      }
    });
  }

 private:
  int64_t panel_size() const { return pair_panel * Product::pairs(depth_); }
  int64_t panels() const { return divup(results_, pair_panel); }
  uint32_t* packed(int64_t group, int64_t column) const {
    return packed_ + (group * panels() + column / pair_panel) * panel_size();
  }

  void pack_weights() {
    const std::vector<int64_t> offsets = weight_offsets(layout_);
    const bool contiguous = offsets.back() - offsets.front() == depth_ - 1 && layout_.weight_in_stride == 1 &&
                            std::is_sorted(offsets.begin(), offsets.end());
    std::vector<BFloat16> copied;
    PairMatrix rows{weight_ + offsets.front(), layout_.weight_out_stride, 1};
    int64_t group_stride = layout_.weight_group_stride;
    if (!contiguous) {
      copied = gather_weights(layout_, weight_, offsets);
      rows = {copied.data(), depth_, 1};
      group_stride = results_ * depth_;
    }
    const int64_t width = panels_per_block_ * pair_panel;
    packed_ = pair_scratch<uint32_t>(GemmScratch::Vector, layout_.groups * panels() * panel_size());
    at::parallel_for(0, layout_.groups * panels(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        // A block of columns is packed as one right side.
        const int64_t column = i % panels() * pair_panel;
        if (column % width == 0) {
          const PairMatrix lines{rows.at(column, 0) + i / panels() * group_stride, rows.row_stride, 1};
          Product::pack(lines, std::min(width, results_ - column), depth_, packed(i / panels(), column));
        }
      }
    });
  }

  void run_block(int64_t group, int64_t first, int64_t rows) const {
    BFloat16* windows = pair_scratch<BFloat16>(GemmScratch::PackedB, rows * depth_);
    windows_.write(input_ + group * layout_.in_channels, first, rows, windows);
    BFloat16* output = output_ + group * results_;
    const int64_t stride = layout_.axes[2].output_stride;
    if (dense_) {
      return multiply(group, {windows, depth_, 1}, rows, output + first * stride, stride);
    }
    std::vector<BFloat16> results(static_cast<size_t>(rows * results_));
    multiply(group, {windows, depth_, 1}, rows, results.data(), results_);
    std::vector<Run> runs(static_cast<size_t>(rows));
    const int found = find_runs(layout_, first, rows, runs.data());
    for (int r = 0; r < found; ++r) {
      const Run& run = runs[static_cast<size_t>(r)];
      for (int64_t i = 0; i < run.count; ++i) {
        copy_elements(results.data() + (run.column + i) * results_, results_,
                      output + run.output + i * stride);
      }
    }
  }

  void multiply(int64_t group, const PairMatrix& windows, int64_t rows, BFloat16* to, int64_t stride) const {
    for (int64_t i = 0; bias_ != nullptr && i < rows; ++i) {
      copy_elements(bias_ + group * results_, results_, to + i * stride);
    }
    const float kept = bias_ == nullptr ? 0 : 1;
    const int64_t width = panels_per_block_ * pair_panel;
    for (int64_t column = 0; column < results_; column += width) {
      const PackedColumns weights{packed(group, column), std::min(width, results_ - column), depth_};
      Product::multiply(windows, rows, weights, {to + column, stride, 1, /*alpha=*/1, /*beta=*/kept});
    }
  }

  const ConvLayout& layout_;
  WindowRows windows_;
  const BFloat16* input_;
  const BFloat16* weight_;
  const BFloat16* bias_;
  BFloat16* output_;
  int64_t results_, depth_, positions_, panels_per_block_;
  bool dense_;
  uint32_t* packed_ = nullptr;
};

}  // namespace

#endif

bool conv_gather_rows_by_pairs([[maybe_unused]] const ConvLayout& layout, [[maybe_unused]] const void* input,
                               [[maybe_unused]] const void* weight, [[maybe_unused]] const void* bias,
                               [[maybe_unused]] void* output) {
#ifdef HAS_PAIR_PRODUCTS
  return pairs_pay(layout) && with_pair_product([&]<class Product>() {
           RowGather<Product>(layout, static_cast<const BFloat16*>(input),
                              static_cast<const BFloat16*>(weight), static_cast<const BFloat16*>(bias),
                              static_cast<BFloat16*>(output))
               .run();
         });
#else
  return false;
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
