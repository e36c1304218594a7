// Depthwise convolutions of channels-last images: vectors of channels.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pack.h>

#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace conv_detail;

constexpr int64_t chunk_vectors = 4;

template <class T, class Acc>
class ChannelsLast {
 public:
  ChannelsLast(const ConvLayout& layout, const T* input, const T* weight, const T* bias, T* output)
      : layout_(layout),
        input_(input),
        output_(output),
        channels_(layout.groups),
        pitch_(round_up(channels_, chunk)),
        bias_(static_cast<size_t>(pitch_), Acc(0)),
        weight_(static_cast<size_t>(pitch_ * layout.taps()), Acc(0)) {
    if (bias != nullptr) std::copy(bias, bias + channels_, bias_.begin());
    for_each_weight(layout, [&](int64_t tap, int64_t offset) {
      for (int64_t c = 0; c < channels_; ++c) {
        weight_[tap * pitch_ + c] = static_cast<Acc>(weight[c * layout.weight_group_stride + offset]);
      }
    });
  }

  void run() const {
    const int64_t line = layout_.axes[2].outputs, lines = layout_.batch * layout_.positions() / line;
    at::parallel_for(0, lines, std::max<int64_t>(1, 32768 / (line * channels_)),
                     [&](int64_t begin, int64_t end) {
                       std::vector<Window> windows(static_cast<size_t>(layout_.taps()));
                       for (int64_t i = begin; i < end; ++i) {
                         Run run;
                         find_runs(layout_, i * line, line, &run);
                         find_windows(run, windows.data());
                         for (int64_t q = 0; q < line; ++q) write_position(run, windows.data(), q);
                       }
                     });
  }

 private:
  static constexpr int64_t chunk = chunk_vectors * lanes<Acc>;

  void find_windows(const Run& run, Window* windows) const {
    const ConvAxis* axes = layout_.axes;
    int64_t tap[3];
    for (tap[0] = 0; tap[0] < axes[0].taps; ++tap[0]) {
      for (tap[1] = 0; tap[1] < axes[1].taps; ++tap[1]) {
        for (tap[2] = 0; tap[2] < axes[2].taps; ++tap[2]) *windows++ = window_of(layout_, run, tap);
      }
    }
  }

  void write_position(const Run& run, const Window* windows, int64_t q) const {
    const int64_t step = layout_.axes[2].step * layout_.axes[2].input_stride;
    T* to = output_ + run.output + q * layout_.axes[2].output_stride;
    int64_t c = 0;
    for (; c + chunk <= channels_; c += chunk) add_up<chunk_vectors>(windows, q, step, c, to + c);
    for (; c + lanes<Acc> <= channels_; c += lanes<Acc>) add_up<1>(windows, q, step, c, to + c);
    for (; c < channels_; ++c) {
      Acc sum = bias_[c];
      for (int64_t t = 0; t < layout_.taps(); ++t) {
        if (q < windows[t].low || q >= windows[t].high) continue;
        sum += weight_[t * pitch_ + c] * static_cast<Acc>(input_[windows[t].offset + q * step + c]);
      }
      to[c] = static_cast<T>(sum);
    }
  }

  template <int NV>
  void add_up(const Window* windows, int64_t q, int64_t step, int64_t c, T* to) const {
    Vec<Acc> sum[NV];
#pragma GCC unroll 4
    for (int j = 0; j < NV; ++j) sum[j] = load(bias_.data() + c + j * lanes<Acc>);
    for (int64_t t = 0; t < layout_.taps(); ++t) {
      if (q < windows[t].low || q >= windows[t].high) continue;
      const T* from = input_ + windows[t].offset + q * step + c;
      const Acc* weight = weight_.data() + t * pitch_ + c;
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        sum[j] += load_as<Acc>(from + j * lanes<Acc>) * load(weight + j * lanes<Acc>);
      }
    }
#pragma GCC unroll 4
    for (int j = 0; j < NV; ++j) {
      if constexpr (std::is_same_v<T, Acc>) {
        store(to + j * lanes<Acc>, sum[j]);
      } else {
        for (int i = 0; i < lanes<Acc>; ++i) to[j * lanes<Acc> + i] = static_cast<T>(sum[j][i]);
      }
    }
  }

  const ConvLayout& layout_;
  const T* input_;
  T* output_;
  int64_t channels_, pitch_;
  std::vector<Acc> bias_, weight_;
};

template <class T, class Acc>
bool run(const ConvLayout& layout, const void* input, const void* weight, const void* bias, void* output) {
  ChannelsLast<T, Acc>(layout, static_cast<const T*>(input), static_cast<const T*>(weight),
                       static_cast<const T*>(bias), static_cast<T*>(output))
      .run();
  return true;
}

}  // namespace

bool conv_gather_channels_last(c10::ScalarType type, const ConvLayout& layout, const void* input,
                               const void* weight, const void* bias, void* output) {
  if (layout.in_channels != 1 || layout.out_channels != 1 || layout.groups == 1) return false;
  if (layout.input_channel_stride != 1 || layout.output_channel_stride != 1) return false;
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
