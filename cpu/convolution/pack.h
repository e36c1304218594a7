// Convolutions as matrix products: the windows of a few neighbouring output positions are columns of one
// matrix, the weights the other. A row of both is an input channel and a tap.
#pragma once

#include <ATen/native/cpu/convolution/convolution.h>
#include <ATen/native/cpu/convolution/tiles.h>
#include <ATen/native/cpu/widen.h>

#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace conv_detail {

// A run: output positions beside each other in one line of one image.
struct Run {
  int64_t column, count;
  int64_t input, output;  // offsets of the image and, for the output, of the first position
  int64_t at[3];          // the input coordinates of the first position for a tap at 0
};

// The runs of the positions [first, first + count), which are numbered through all images.
inline int find_runs(const ConvLayout& layout, int64_t first, int64_t count, Run* runs) {
  const ConvAxis *x = &layout.axes[2], *y = &layout.axes[1], *z = &layout.axes[0];
  int64_t q[3], image, rest = first;
  q[2] = rest % x->outputs, rest /= x->outputs;
  q[1] = rest % y->outputs, rest /= y->outputs;
  q[0] = rest % z->outputs, image = rest / z->outputs;
  int found = 0;
  for (int64_t column = 0; column < count;) {
    Run& run = runs[found++];
    run.column = column;
    run.count = std::min(count - column, x->outputs - q[2]);
    run.input = image * layout.input_batch_stride;
    run.output = image * layout.output_batch_stride;
    for (int axis = 0; axis < 3; ++axis) {
      run.output += q[axis] * layout.axes[axis].output_stride;
      run.at[axis] = q[axis] * layout.axes[axis].step + layout.axes[axis].start;
    }
    column += run.count;
    q[2] = 0;
    if (++q[1] == y->outputs) {
      q[1] = 0;
      if (++q[0] == z->outputs) q[0] = 0, ++image;
    }
  }
  return found;
}

template <class T, class Acc>
C10_ALWAYS_INLINE void copy_line(const T* from, int64_t stride, int64_t count, Acc* to) {
  if (stride == 1) {
    if constexpr (std::is_same_v<T, Acc>) {
      for (; count >= lanes<Acc>; count -= lanes<Acc>, from += lanes<Acc>, to += lanes<Acc>) {
        store(to, load(from));
      }
#pragma GCC unroll 4
      for (int part = lanes<Acc> / 2; part > 0; part /= 2) {
        if (count & part) {
          std::memcpy(to, from, part * sizeof(Acc));
          from += part, to += part;
        }
      }
    } else {
      convert(from, to, count);
    }
  } else if (stride == 2) {
    for (int64_t i = 0; i < count; ++i) to[i] = load_one<Acc>(from + 2 * i);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = load_one<Acc>(from + i * stride);
  }
}

// The part [low, high) of a run whose inputs exist, and the offset of what its first position reads.
struct Window {
  int64_t low, high, offset;
};
inline Window window_of(const ConvLayout& layout, const Run& run, const int64_t (&tap)[3]) {
  int64_t offset = run.input;
  for (int axis = 0; axis < 2; ++axis) {
    const ConvAxis& a = layout.axes[axis];
    const int64_t at = run.at[axis] + tap[axis] * a.tap_step;
    if (at < 0 || at >= a.inputs) return {0, 0, 0};
    offset += at * a.input_stride;
  }
  const ConvAxis& x = layout.axes[2];
  const int64_t at = run.at[2] + tap[2] * x.tap_step;
  const int64_t low = at >= 0 ? 0 : (-at + x.step - 1) / x.step;
  const int64_t high = at >= x.inputs ? 0 : (x.inputs - 1 - at) / x.step + 1;
  if (low >= std::min(high, run.count)) return {0, 0, 0};
  return {low, std::min(high, run.count), offset + at * x.input_stride};
}

// Rows [begin, end) of the columns of some runs: to[(row - begin) * width + column].
template <class T, class Acc>
void pack_columns(const ConvLayout& layout, const T* input, const Run* runs, int count, int64_t begin,
                  int64_t end, int64_t width, Acc* to) {
  const int64_t taps = layout.taps(), stride = layout.axes[2].step * layout.axes[2].input_stride;
  int64_t tap[3] = {0, 0, 0};
  for (int64_t t = 0; t < taps; ++t) {
    const int64_t first = begin > t ? (begin - t + taps - 1) / taps : 0;
    const int64_t last = end > t ? (end - t + taps - 1) / taps : 0;
    for (int r = 0; r < count && first < last; ++r) {
      const Run& run = runs[r];
      const Window window = window_of(layout, run, tap);
      Acc* line = to + (first * taps + t - begin) * width + run.column;
      const T* from = input + window.offset + window.low * stride + first * layout.input_channel_stride;
      for (int64_t c = first; c < last; ++c, line += taps * width, from += layout.input_channel_stride) {
        if (window.high - window.low < run.count) {
          std::fill(line, line + window.low, Acc(0));
          std::fill(line + window.high, line + run.count, Acc(0));
        }
        if (window.low < window.high) {
          copy_line(from, stride, window.high - window.low, line + window.low);
        }
      }
    }
    for (int axis = 2; axis >= 0 && ++tap[axis] == layout.axes[axis].taps; --axis) tap[axis] = 0;
  }
}

// Whether a row of the weights' matrix is contiguous.
inline bool has_dense_weight(const ConvLayout& layout) {
  int64_t expected = 1;
  for (int axis = 2; axis >= 0; --axis) {
    if (layout.axes[axis].taps != 1 && layout.axes[axis].tap_stride != expected) return false;
    expected *= layout.axes[axis].taps;
  }
  return layout.in_channels == 1 || layout.weight_in_stride == expected;
}

// Calls visit(row of the matrix, offset in the weights) for all channels and taps.
template <class F>
void for_each_weight(const ConvLayout& layout, const F& visit) {
  const ConvAxis* axes = layout.axes;
  int64_t row = 0;
  for (int64_t c = 0; c < layout.in_channels; ++c) {
    for (int64_t z = 0; z < axes[0].taps; ++z) {
      for (int64_t y = 0; y < axes[1].taps; ++y) {
        for (int64_t x = 0; x < axes[2].taps; ++x, ++row) {
          visit(row, c * layout.weight_in_stride + z * axes[0].tap_stride + y * axes[1].tap_stride +
                         x * axes[2].tap_stride);
        }
      }
    }
  }
}

// to[p * height + i] = the weight of output channel i, row p; as interleave_lines.
template <class T, class Acc>
void pack_weight(const ConvLayout& layout, const T* weight, int64_t rows, int64_t height, Acc* to) {
  const int64_t stride = layout.weight_out_stride;
  if (has_dense_weight(layout)) {
    return interleave_lines(weight, stride, rows, layout.in_channels * layout.taps(), height, to);
  }
  for_each_weight(layout, [&](int64_t p, int64_t offset) {
    copy_line(weight + offset, stride, rows, to + p * height);
    for (int64_t i = rows; i < height; ++i) to[p * height + i] = Acc(0);
  });
}

// Whether an image's outputs are contiguous.
inline bool has_dense_output(const ConvLayout& layout) {
  int64_t expected = 1;
  for (int axis = 2; axis >= 0; --axis) {
    if (layout.axes[axis].outputs != 1 && layout.axes[axis].output_stride != expected) return false;
    expected *= layout.axes[axis].outputs;
  }
  return true;
}

// Whether all positions of all images are equally spaced.
inline bool has_dense_positions(const ConvLayout& layout) {
  int64_t expected = layout.axes[2].output_stride;
  for (int axis = 2; axis >= 0; --axis) {
    if (layout.axes[axis].outputs != 1 && layout.axes[axis].output_stride != expected) return false;
    expected *= layout.axes[axis].outputs;
  }
  return layout.batch == 1 || layout.output_batch_stride == expected;
}

inline bool has_channels_last(const ConvLayout& layout) {
  return layout.input_channel_stride == 1 && layout.output_channel_stride == 1 &&
         layout.in_channels * layout.groups != 1;
}

// A 1 x 1 convolution that reads and writes contiguously is one long line.
inline ConvLayout merge_axes(ConvLayout layout) {
  ConvAxis& x = layout.axes[2];
  for (int axis = 1; axis >= 0; --axis) {
    ConvAxis& a = layout.axes[axis];
    if (a.outputs == 1 && a.inputs == 1 && a.taps == 1 && a.start == 0) continue;
    for (const ConvAxis* each : {&a, &x}) {
      if (each->taps != 1 || each->step != 1 || each->start != 0 || each->outputs != each->inputs) {
        return layout;
      }
    }
    const bool joined =
        a.input_stride == x.inputs * x.input_stride && a.output_stride == x.outputs * x.output_stride;
    if (!joined) return layout;
    x.outputs = x.inputs = x.outputs * a.outputs;
    a = ConvAxis();
  }
  return layout;
}

}  // namespace conv_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
