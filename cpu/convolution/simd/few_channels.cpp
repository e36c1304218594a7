// 1 x 1 convolutions into a few channels: matrix tiles would be nearly empty, so the images are read once, in
// place, a few channels at a time.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pack.h>

#include <ATen/Parallel.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace conv_detail;

constexpr int64_t most_results = 8, rows_together = 4;
constexpr int64_t block = 1024;  // positions whose sums stay in the first-level cache

// to[r][i] = bias[r] + sum over c of weight[c][r] * x[c][i], or that added to what is there.
template <int Rows, int Vectors, class T>
C10_ALWAYS_INLINE void add_columns(const T* x, int64_t stride, int64_t channels, const T* weight,
                                   const T* bias, T* to, int64_t pitch) {
  Vec<T> sum[Rows][Vectors];
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      sum[r][v] = bias != nullptr ? bias[r] - Vec<T>{} : load(to + r * pitch + v * lanes<T>);
    }
  }
  for (int64_t c = 0; c < channels; ++c) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const Vec<T> value = load(x + c * stride + v * lanes<T>);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) sum[r][v] += weight[c * rows_together + r] * value;
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) store(to + r * pitch + v * lanes<T>, sum[r][v]);
  }
}

template <int Rows, class T>
void add_block(const T* x, int64_t stride, int64_t channels, const T* weight, const T* bias, int64_t n, T* to,
               int64_t pitch) {
  constexpr int vectors = 4;
  int64_t i = 0;
  for (; i + vectors * lanes<T> <= n; i += vectors * lanes<T>) {
    add_columns<Rows, vectors>(x + i, stride, channels, weight, bias, to + i, pitch);
  }
  for (; i + lanes<T> <= n; i += lanes<T>) {
    add_columns<Rows, 1>(x + i, stride, channels, weight, bias, to + i, pitch);
  }
  for (; i < n; ++i) {
    for (int r = 0; r < Rows; ++r) {
      T sum = bias != nullptr ? bias[r] : to[r * pitch + i];
      for (int64_t c = 0; c < channels; ++c) sum += weight[c * rows_together + r] * x[c * stride + i];
      to[r * pitch + i] = sum;
    }
  }
}

// sums[c][r] += the lanes of the sum over i of grad[r][i] * x[c][i]
template <int Rows, int Channels, class T>
C10_ALWAYS_INLINE void add_products(const T* grad, int64_t pitch, const T* x, int64_t stride, int64_t n,
                                    T* sums) {
  Vec<T> sum[Channels][Rows] = {};
  T rest[Channels][Rows] = {};
  int64_t i = 0;
  for (; i + lanes<T> <= n; i += lanes<T>) {
    Vec<T> g[Rows];
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) g[r] = load(grad + r * pitch + i);
#pragma GCC unroll 4
    for (int c = 0; c < Channels; ++c) {
      const Vec<T> value = load(x + c * stride + i);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) sum[c][r] += g[r] * value;
    }
  }
  for (; i < n; ++i) {
    for (int c = 0; c < Channels; ++c) {
      for (int r = 0; r < Rows; ++r) rest[c][r] += grad[r * pitch + i] * x[c * stride + i];
    }
  }
#pragma GCC unroll 4
  for (int c = 0; c < Channels; ++c) {
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      sum[c][r][0] += rest[c][r];
      T* const to = sums + (c * rows_together + r) * lanes<T>;
      store<T>(to, load(to) + sum[c][r]);
    }
  }
}

// Calls f with the number of rows, at most rows_together, as a constant.
template <class F>
void with_rows(int64_t rows, const F& f) {
  switch (rows) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    default:
      return f.template operator()<4>();
  }
}

template <class T>
class Narrow {
 public:
  explicit Narrow(const ConvLayout& layout)
      : layout_(layout),
        positions_(layout.axes[2].outputs),
        blocks_(at::divup(positions_, block)),
        passes_(at::divup(layout.out_channels, rows_together)) {}

  void gather(const T* input, const T* weight, const T* bias, T* output) const {
    constexpr int64_t channels_together = 8;
    const std::vector<T> factors = interleaved(weight);
    std::vector<T> start(static_cast<size_t>(passes_ * rows_together), T(0));
    if (bias != nullptr) std::copy(bias, bias + layout_.out_channels, start.begin());
    const int64_t channels = layout_.in_channels;
    for_blocks(layout_.batch * blocks_, channels, [&](int64_t i) {
      const int64_t first = i % blocks_ * block, n = std::min(block, positions_ - first);
      const T* x = input + i / blocks_ * layout_.input_batch_stride + first;
      T* to = output + i / blocks_ * layout_.output_batch_stride + first;
      for (int64_t c = 0; c < channels; c += channels_together) {
        for (int64_t pass = 0; pass < passes_; ++pass) {
          const int64_t row = pass * rows_together;
          with_rows(layout_.out_channels - row, [&]<int Rows>() {
            add_block<Rows>(x + c * layout_.input_channel_stride, layout_.input_channel_stride,
                            std::min(channels_together, channels - c),
                            factors.data() + (pass * channels + c) * rows_together,
                            c == 0 ? start.data() + row : nullptr, n,
                            to + row * layout_.output_channel_stride, layout_.output_channel_stride);
          });
        }
      }
    });
  }

  void weight_gradient(const T* input, const T* grad_output, T* grad_weight) const {
    constexpr int64_t channels_together = 4;
    const int64_t groups = at::divup(layout_.in_channels, channels_together);
    at::parallel_for(0, groups, at::divup(int64_t(16384), layout_.batch * positions_),
                     [&](int64_t begin, int64_t end) {
                       for (int64_t pass = 0; pass < passes_; ++pass) {
                         const int64_t first = begin * channels_together,
                                       last = std::min(layout_.in_channels, end * channels_together);
                         with_rows(layout_.out_channels - pass * rows_together, [&]<int Rows>() {
                           products<Rows>(input, grad_output, pass * rows_together, first, last, grad_weight);
                         });
                       }
                     });
  }

 private:
  // [pass][channel][row]
  std::vector<T> interleaved(const T* weight) const {
    std::vector<T> factors(static_cast<size_t>(passes_ * layout_.in_channels * rows_together));
    for (int64_t row = 0; row < layout_.out_channels; ++row) {
      T* to =
          factors.data() + row / rows_together * layout_.in_channels * rows_together + row % rows_together;
      for (int64_t c = 0; c < layout_.in_channels; ++c) {
        to[c * rows_together] = weight[row * layout_.weight_out_stride + c * layout_.weight_in_stride];
      }
    }
    return factors;
  }

  template <class F>
  void for_blocks(int64_t count, int64_t work, const F& f) const {
    at::parallel_for(0, count, at::divup(int64_t(16), work), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(i);
    });
  }

  // Of channels [first, last), for `Rows` rows of the weight.
  template <int Rows>
  void products(const T* input, const T* grad_output, int64_t row, int64_t first, int64_t last,
                T* grad_weight) const {
    constexpr int64_t size = rows_together * lanes<T>;  // of a channel's sums
    std::vector<T> sums(static_cast<size_t>((last - first) * size), T(0));
    const int64_t stride = layout_.input_channel_stride, pitch = layout_.output_channel_stride;
    for (int64_t i = 0; i < layout_.batch * blocks_; ++i) {
      const int64_t at = i % blocks_ * block, n = std::min(block, positions_ - at);
      const T* grad = grad_output + i / blocks_ * layout_.output_batch_stride + row * pitch + at;
      const T* x = input + i / blocks_ * layout_.input_batch_stride + at;
      int64_t c = first;
      for (; c + 4 <= last; c += 4) {
        add_products<Rows, 4>(grad, pitch, x + c * stride, stride, n, sums.data() + (c - first) * size);
      }
      for (; c < last; ++c) {
        add_products<Rows, 1>(grad, pitch, x + c * stride, stride, n, sums.data() + (c - first) * size);
      }
    }
    for (int64_t c = first; c < last; ++c) {
      for (int r = 0; r < Rows; ++r) {
        grad_weight[(row + r) * layout_.weight_out_stride + c * layout_.weight_in_stride] =
            sum_lanes<T>(load(sums.data() + (c - first) * size + r * lanes<T>));
      }
    }
  }

  const ConvLayout layout_;
  int64_t positions_, blocks_, passes_;
};

// Whether images are dense and windows 1 x 1; `merged` has one axis then.
bool is_narrow(const ConvLayout& merged) {
  if (merged.groups != 1 || merged.out_channels > most_results || merged.in_channels < 4) return false;
  for (int axis = 0; axis < 2; ++axis) {
    const ConvAxis& a = merged.axes[axis];
    if (a.outputs != 1 || a.inputs != 1 || a.taps != 1 || a.start != 0) return false;
  }
  const ConvAxis& x = merged.axes[2];
  return x.taps == 1 && x.step == 1 && x.start == 0 && x.inputs == x.outputs && x.input_stride == 1 &&
         x.output_stride == 1 && x.outputs >= 4 * lanes<float>;
}

// Calls f with an object of the layout and one of the dtype.
template <class F>
bool with_narrow(c10::ScalarType type, const ConvLayout& layout, const F& f) {
  if (type != c10::ScalarType::Float && type != c10::ScalarType::Double) return false;
  const ConvLayout merged = merge_axes(layout);
  if (!is_narrow(merged)) return false;
  type == c10::ScalarType::Float ? f.template operator()<float>(Narrow<float>(merged))
                                 : f.template operator()<double>(Narrow<double>(merged));
  return true;
}

}  // namespace

bool conv_gather_narrow(c10::ScalarType type, const ConvLayout& layout, const void* input, const void* weight,
                        const void* bias, void* output) {
  return with_narrow(type, layout, [&]<class T>(const Narrow<T>& narrow) {
    narrow.gather(static_cast<const T*>(input), static_cast<const T*>(weight), static_cast<const T*>(bias),
                  static_cast<T*>(output));
  });
}

bool conv_weight_narrow(c10::ScalarType type, const ConvLayout& layout, const void* input,
                        const void* grad_output, void* grad_weight) {
  return with_narrow(type, layout, [&]<class T>(const Narrow<T>& narrow) {
    narrow.weight_gradient(static_cast<const T*>(input), static_cast<const T*>(grad_output),
                           static_cast<T*>(grad_weight));
  });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
