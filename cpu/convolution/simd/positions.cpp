// Convolutions of channels-last images, as products of positions, whose windows are packed a few at a time,
// with the weights. A row of the packed matrices is a tap and an input channel.
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

constexpr int64_t block_depth = 512;

// to[p * height + i] = rows[i][p] for p < k; rows beyond `count` are zeros. As interleave_lines.
template <class T, class Acc>
__attribute__((noinline)) void interleave_rows(const T* const* rows, int64_t count, int64_t k, int64_t height,
                                               Acc* to) {
  constexpr int n = lanes<Acc>;
  int64_t p = 0;
  for (; p + n <= k; p += n) {
    for (int64_t first = (height - 1) / n * n; first >= 0; first -= n) {
      Vec<Acc> line[n];
      for (int i = 0; i < n; ++i) {
        line[i] = first + i < count ? load_as<Acc>(rows[first + i] + p) : Vec<Acc>{};
      }
      transpose_lines<Acc>(line);
      for (int i = 0; i < n; ++i) store(to + (p + i) * height + first, line[i]);
    }
  }
  for (; p < k; ++p) {
    for (int64_t i = 0; i < height; ++i) {
      to[p * height + i] = i < count ? load_one<Acc>(rows[i] + p) : Acc(0);
    }
  }
}

template <class T, class Acc>
class PositionProduct {
 public:
  PositionProduct(const ConvLayout& layout, const T* input, const T* weight, const T* bias, T* output)
      : layout_(layout),
        input_(input),
        weight_(weight),
        output_(output),
        channels_(layout.in_channels),
        depth_(channels_ * layout.taps()),
        results_(layout.out_channels),
        panels_(divup(results_, width)),
        positions_(layout.batch * layout.positions()),
        // Whole taps; sums of 16-bit floats must not be rounded between blocks.
        taps_per_block_(std::is_same_v<T, Acc> ? std::max<int64_t>(1, block_depth / channels_)
                                               : layout.taps()),
        dense_(has_dense_positions(layout)),
        zeros_(static_cast<size_t>(channels_), T(0)),
        bias_(static_cast<size_t>(layout.groups * results_ + width), Acc(0)) {
    if (bias != nullptr) std::copy(bias, bias + layout.groups * results_, bias_.begin());
  }

  void run() {
    pack_weight();
    const int64_t tiles = divup(positions_, max_rows);
    at::parallel_for(0, tiles * layout_.groups, 1, [&](int64_t begin, int64_t end) {
      std::vector<const T*> rows(static_cast<size_t>(layout_.taps() * max_rows));
      for (int64_t i = begin; i < end; ++i) run_tile(i / tiles, i % tiles * max_rows, rows.data());
    });
  }

 private:
  static constexpr int64_t width = panel_width<Acc>;

  static Acc* scratch(GemmScratch slot, int64_t count) {
    return static_cast<Acc*>(gemm_scratch(slot, static_cast<size_t>(count) * sizeof(Acc)));
  }

  void pack_weight() {
    const int64_t size = depth_ * width + width;
    packed_weight_ = scratch(GemmScratch::PackedA, layout_.groups * panels_ * size);
    at::parallel_for(0, layout_.groups * panels_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % panels_ * width;
        const T* from =
            weight_ + i / panels_ * layout_.weight_group_stride + column * layout_.weight_out_stride;
        pack_panel(from, std::min(width, results_ - column), packed_weight_ + i * size);
      }
    });
  }

  void pack_panel(const T* from, int64_t columns, Acc* to) const {
    const ConvAxis* axes = layout_.axes;
    for (int64_t t = 0; t < layout_.taps(); ++t, to += channels_ * width) {
      const int64_t x = t % axes[2].taps, y = t / axes[2].taps % axes[1].taps,
                    z = t / axes[2].taps / axes[1].taps;
      const T* tap = from + z * axes[0].tap_stride + y * axes[1].tap_stride + x * axes[2].tap_stride;
      if (layout_.weight_in_stride == 1) {
        interleave_lines(tap, layout_.weight_out_stride, columns, channels_, width, to);
        continue;
      }
      for (int64_t c = 0; c < channels_; ++c) {
        copy_line(tap + c * layout_.weight_in_stride, layout_.weight_out_stride, columns, to + c * width);
        std::fill(to + c * width + columns, to + (c + 1) * width, Acc(0));
      }
    }
  }

  // What each tap reads for each of the positions.
  void find_rows(const T* input, const Run* runs, int found, const T** rows) const {
    int64_t tap[3] = {0, 0, 0};
    const int64_t step = layout_.axes[2].step * layout_.axes[2].input_stride;
    for (int64_t t = 0; t < layout_.taps(); ++t, rows += max_rows) {
      for (int r = 0; r < found; ++r) {
        const Window window = window_of(layout_, runs[r], tap);
        for (int64_t i = 0; i < runs[r].count; ++i) {
          const bool inside = i >= window.low && i < window.high;
          rows[runs[r].column + i] = inside ? input + window.offset + i * step : zeros_.data();
        }
      }
      for (int axis = 2; axis >= 0 && ++tap[axis] == layout_.axes[axis].taps; --axis) tap[axis] = 0;
    }
  }

  void run_tile(int64_t group, int64_t position, const T** rows) const {
    const int64_t count = std::min<int64_t>(max_rows, positions_ - position), height = tile_height(count);
    Run runs[max_rows];
    const int found = find_runs(layout_, position, count, runs);
    find_rows(input_ + group * channels_, runs, found, rows);
    Acc* packed = scratch(GemmScratch::PackedB, taps_per_block_ * channels_ * max_rows + lanes<Acc>);
    int64_t tap = 0;
    do {
      const int64_t taps = std::min(taps_per_block_, layout_.taps() - tap);
      for (int64_t t = 0; t < taps; ++t) {
        interleave_rows(rows + (tap + t) * max_rows, count, channels_, height,
                        packed + t * channels_ * height);
      }
      for (int64_t panel = 0; panel < panels_; ++panel) {
        run_panel(group, panel, runs, found, count, tap * channels_, taps * channels_, packed);
      }
      tap += taps;
    } while (tap < layout_.taps());
  }

  void run_panel(int64_t group, int64_t panel, const Run* runs, int found, int64_t count, int64_t begin,
                 int64_t depth, const Acc* packed) const {
    const int64_t column = panel * width, columns = std::min(width, results_ - column);
    const Acc* weights =
        packed_weight_ + (group * panels_ + panel) * (depth_ * width + width) + begin * width;
    const Acc* bias = bias_.data() + group * results_ + column;
    T* output = output_ + group * results_ + column;
    const auto run = tile_for<Acc>(count, columns);
    const TileStart<Acc> start{true, nullptr};
    if constexpr (std::is_same_v<T, Acc>) {
      if (dense_ && columns == width) {
        T* to = output + runs[0].output;
        const int64_t stride = layout_.axes[2].output_stride;
        for (int64_t i = 0; begin == 0 && i < count; ++i) std::copy(bias, bias + width, to + i * stride);
        return run(depth, packed, weights, width, start, count, to, stride);
      }
    }
    Acc buffer[max_rows * width];
    T* to[max_rows];
    for (int r = 0; r < found; ++r) {
      for (int64_t i = 0; i < runs[r].count; ++i) {
        to[runs[r].column + i] = output + runs[r].output + i * layout_.axes[2].output_stride;
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      Acc* line = buffer + i * width;
      for (int64_t j = 0; j < columns; ++j) line[j] = begin == 0 ? bias[j] : static_cast<Acc>(to[i][j]);
      std::fill(line + columns, line + width, Acc(0));
    }
    run(depth, packed, weights, width, start, count, buffer, width);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < columns; ++j) to[i][j] = static_cast<T>(buffer[i * width + j]);
    }
  }

  const ConvLayout& layout_;
  const T* input_;
  const T* weight_;
  T* output_;
  int64_t channels_, depth_, results_, panels_, positions_, taps_per_block_;
  bool dense_;
  std::vector<T> zeros_;
  std::vector<Acc> bias_;
  Acc* packed_weight_ = nullptr;
};

template <class T, class Acc>
bool run(const ConvLayout& layout, const void* input, const void* weight, const void* bias, void* output) {
  PositionProduct<T, Acc>(layout, static_cast<const T*>(input), static_cast<const T*>(weight),
                          static_cast<const T*>(bias), static_cast<T*>(output))
      .run();
  return true;
}

}  // namespace

bool conv_gather_by_positions(c10::ScalarType type, const ConvLayout& layout, const void* input,
                              const void* weight, const void* bias, void* output) {
  if (!has_channels_last(layout)) return false;
  switch (type) {
    case c10::ScalarType::Float:
      return run<float, float>(layout, input, weight, bias, output);
    case c10::ScalarType::Double:
      return run<double, double>(layout, input, weight, bias, output);
    case c10::ScalarType::Half:
      return run<c10::Half, float>(layout, input, weight, bias, output);
    case c10::ScalarType::BFloat16:
      return run<c10::BFloat16, float>(layout, input, weight, bias, output);
    default:
      return false;
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
