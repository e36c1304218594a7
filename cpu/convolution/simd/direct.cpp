// Convolutions of few channels in each group (depthwise ones above all), and the gradients of their weights:
// sums over the taps, for vectors of positions.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/planes.h>
#include <ATen/native/cpu/matmul/gemm.h>

#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace conv_detail;

constexpr int64_t most_rows = 8;  // input channels and taps that are summed together
constexpr int64_t most_channels = 16;

// out[i][position] = bias[i] + sum over p of a[p][i] * planes[offset[p] + position], for positions from
// `position` to `end`, which are a multiple of a vector.
template <int Rows, int NV, class Acc>
__attribute__((noinline)) void direct_rows(int64_t k, const Acc* a, const Acc* planes, const int64_t* offset,
                                           const Acc* bias, int64_t position, int64_t end, Acc* out,
                                           int64_t pitch) {
  constexpr int64_t width = NV * lanes<Acc>;
  for (; position + width <= end; position += width) {
    Vec<Acc> sum[Rows][NV];
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) sum[i][j] = bias[i] - Vec<Acc>{};
    }
    const Acc* factor = a;
    for (int64_t p = 0; p < k; ++p, factor += Rows) {
      const Acc* from = planes + offset[p] + position;
      Vec<Acc> value[NV];
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) value[j] = load(from + j * lanes<Acc>);
#pragma GCC unroll 8
      for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
        for (int j = 0; j < NV; ++j) sum[i][j] += factor[i] * value[j];
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) store(out + i * pitch + position + j * lanes<Acc>, sum[i][j]);
    }
  }
  if constexpr (NV > 1) {
    if (position < end) direct_rows<Rows, NV / 2>(k, a, planes, offset, bias, position, end, out, pitch);
  }
}

// sums[i] += the dot products of `grad` with the planes at offset[i].
template <int Taps, class Acc>
__attribute__((noinline)) void direct_taps(const Acc* grad, const Acc* planes, const int64_t* offset,
                                           int64_t positions, Acc* sums) {
  Vec<Acc> sum[Taps] = {};
  for (int64_t position = 0; position < positions; position += lanes<Acc>) {
    const Vec<Acc> g = load(grad + position);
#pragma GCC unroll 8
    for (int i = 0; i < Taps; ++i) sum[i] += g * load(planes + offset[i] + position);
  }
#pragma GCC unroll 8
  for (int i = 0; i < Taps; ++i) sums[i] += sum_lanes<Acc>(sum[i]);
}

template <class T, class Acc>
class Direct {
 public:
  Direct(const ConvLayout& layout, const T* input)
      : layout_(layout),
        planes_(layout_),
        input_(input),
        rows_(layout.out_channels),
        depth_(layout.in_channels * layout.taps()),
        // Loads beyond the last position stay within the scratch memory.
        planes_size_(layout.in_channels * planes_.channel_size() + slack),
        pitch_(round_up(planes_.positions, slack)) {
    for (int64_t c = 0; c < layout.in_channels; ++c) {
      for (int64_t t = 0; t < layout.taps(); ++t) offsets_.push_back(planes_.offset(c, t));
    }
  }

  void gather(const T* weight, const T* bias, T* output) const {
    const int64_t groups = layout_.groups;
    at::parallel_for(0, layout_.batch * groups, 1, [&](int64_t begin, int64_t end) {
      Acc* planes = empty_planes();
      Acc* sums = scratch(GemmScratch::Accumulator, rows_ * pitch_);
      std::vector<Acc> factors(static_cast<size_t>(rows_ * depth_)),
          start(static_cast<size_t>(rows_), Acc(0));
      for (int64_t task = begin; task < end; ++task) {
        const int64_t image = task / groups, group = task % groups;
        for_each_weight(layout_, [&](int64_t p, int64_t offset) {
          for (int64_t i = 0; i < rows_; ++i) {
            const int64_t block = i / most_rows * most_rows, rows = std::min(most_rows, rows_ - block);
            factors[block * depth_ + p * rows + i - block] = static_cast<Acc>(
                weight[group * layout_.weight_group_stride + i * layout_.weight_out_stride + offset]);
          }
        });
        for (int64_t i = 0; bias != nullptr && i < rows_; ++i) {
          start[i] = static_cast<Acc>(bias[group * rows_ + i]);
        }
        fill(image, group, planes);
        for (int64_t block = 0; block < rows_; block += most_rows) {
          add_up(std::min(most_rows, rows_ - block), factors.data() + block * depth_, planes,
                 start.data() + block, sums + block * pitch_);
        }
        for (int64_t i = 0; i < rows_; ++i) {
          write(sums + i * pitch_, channel(output, image, group * rows_ + i));
        }
      }
    });
  }

  void weight_gradient(const T* grad_output, T* grad_weight) const {
    at::parallel_for(0, layout_.groups, 1, [&](int64_t begin, int64_t end) {
      Acc* planes = empty_planes();
      Acc* grad = scratch(GemmScratch::Accumulator, pitch_);
      std::fill(grad, grad + pitch_, Acc(0));
      std::vector<Acc> sums(static_cast<size_t>(rows_ * depth_));
      for (int64_t group = begin; group < end; ++group) {
        std::fill(sums.begin(), sums.end(), Acc(0));
        for (int64_t image = 0; image < layout_.batch; ++image) {
          fill(image, group, planes);
          for (int64_t i = 0; i < rows_; ++i) {
            read(channel(grad_output, image, group * rows_ + i), grad);
            dot_products(grad, planes, sums.data() + i * depth_);
          }
        }
        for_each_weight(layout_, [&](int64_t p, int64_t offset) {
          for (int64_t i = 0; i < rows_; ++i) {
            grad_weight[group * layout_.weight_group_stride + i * layout_.weight_out_stride + offset] =
                static_cast<T>(sums[i * depth_ + p]);
          }
        });
      }
    });
  }

 private:
  static constexpr int64_t slack = 8 * lanes<Acc>;

  Acc* empty_planes() const {
    Acc* planes = scratch(GemmScratch::PackedB, planes_size_);
    std::fill(planes, planes + planes_size_, Acc(0));
    return planes;
  }

  static Acc* scratch(GemmScratch slot, int64_t count) {
    return static_cast<Acc*>(gemm_scratch(slot, static_cast<size_t>(count) * sizeof(Acc)));
  }

  template <class P>
  P* channel(P* output, int64_t image, int64_t index) const {
    return output + image * layout_.output_batch_stride + index * layout_.output_channel_stride;
  }

  void fill(int64_t image, int64_t group, Acc* planes) const {
    for (int64_t c = 0; c < layout_.in_channels; ++c) {
      const int64_t channel = group * layout_.in_channels + c;
      planes_.fill(input_ + image * layout_.input_batch_stride + channel * layout_.input_channel_stride,
                   planes + c * planes_.channel_size());
    }
  }

  template <int Rows>
  void add_up_rows(const Acc* factors, const Acc* planes, const Acc* bias, Acc* sums) const {
    constexpr int vectors = Rows <= 2 ? 8 / Rows : 2;
    direct_rows<Rows, vectors>(depth_, factors, planes, offsets_.data(), bias, 0,
                               round_up(planes_.positions, lanes<Acc>), sums, pitch_);
  }

  void add_up(int64_t rows, const Acc* factors, const Acc* planes, const Acc* bias, Acc* sums) const {
    switch (rows) {
      case 1:
        return add_up_rows<1>(factors, planes, bias, sums);
      case 2:
        return add_up_rows<2>(factors, planes, bias, sums);
      case 3:
        return add_up_rows<3>(factors, planes, bias, sums);
      case 4:
        return add_up_rows<4>(factors, planes, bias, sums);
      case 5:
        return add_up_rows<5>(factors, planes, bias, sums);
      case 6:
        return add_up_rows<6>(factors, planes, bias, sums);
      case 7:
        return add_up_rows<7>(factors, planes, bias, sums);
      default:
        return add_up_rows<8>(factors, planes, bias, sums);
    }
  }

  void dot_products(const Acc* grad, const Acc* planes, Acc* sums) const {
    int64_t p = 0;
    const auto run = [&]<int Taps>() {
      for (; p + Taps <= depth_; p += Taps) {
        direct_taps<Taps>(grad, planes, offsets_.data() + p, planes_.positions, sums + p);
      }
    };
    if (depth_ == 9) run.template operator()<9>();
    run.template operator()<8>();
    run.template operator()<4>();
    run.template operator()<1>();
  }

  // Calls visit(line of the output, its index among the positions).
  template <class P, class F>
  void for_each_line(P* output, const F& visit) const {
    const ConvAxis* axes = layout_.axes;
    for (int64_t z = 0; z < axes[0].outputs; ++z) {
      for (int64_t y = 0; y < axes[1].outputs; ++y) {
        visit(output + z * axes[0].output_stride + y * axes[1].output_stride, planes_.position(z, y));
      }
    }
  }

  void write(const Acc* sums, T* output) const {
    const int64_t count = layout_.axes[2].outputs, stride = layout_.axes[2].output_stride;
    for_each_line(output, [&](T* line, int64_t position) {
      if (stride == 1) {
        for (int64_t i = 0; i < count; ++i) line[i] = static_cast<T>(sums[position + i]);
      } else {
        for (int64_t i = 0; i < count; ++i) line[i * stride] = static_cast<T>(sums[position + i]);
      }
    });
  }

  // The gaps between the lines are zeros already.
  void read(const T* grad_output, Acc* grad) const {
    for_each_line(grad_output, [&](const T* line, int64_t position) {
      copy_line(line, layout_.axes[2].output_stride, layout_.axes[2].outputs, grad + position);
    });
  }

  const ConvLayout layout_;
  const Planes<T, Acc> planes_;
  const T* input_;
  int64_t rows_, depth_, planes_size_, pitch_;
  std::vector<int64_t> offsets_;
};

// Few channels, and padding that is small compared with the image.
bool pays(const ConvLayout& layout, int64_t channels) {
  if (layout.in_channels > channels || layout.out_channels > channels || layout.groups == 1) return false;
  if (layout.taps() == 0 || layout.positions() == 0 || layout.batch == 0) return false;
  int64_t inputs = 1, lengths = 1;
  for (const ConvAxis& axis : layout.axes) {
    const int64_t span = (axis.taps - 1) * std::abs(axis.tap_step);
    if (axis.taps > 64 || span > 4096 || axis.outputs > (int64_t(1) << 24)) return false;
    inputs *= axis.inputs;
    lengths *= (axis.outputs + span / axis.step) * std::min(axis.taps, axis.step);
  }
  return lengths <= 4 * (inputs + layout.positions()) + 4096 && lengths <= (int64_t(1) << 24);
}

template <class F>
bool with_types(c10::ScalarType type, const F& f) {
  switch (type) {
    case c10::ScalarType::Float:
      f.template operator()<float, float>();
      return true;
    case c10::ScalarType::Double:
      f.template operator()<double, double>();
      return true;
    case c10::ScalarType::Half:
      f.template operator()<c10::Half, float>();
      return true;
    case c10::ScalarType::BFloat16:
      f.template operator()<c10::BFloat16, float>();
      return true;
    default:
      return false;
  }
}

}  // namespace

bool conv_gather_directly(c10::ScalarType type, const ConvLayout& layout, const void* input,
                          const void* weight, const void* bias, void* output) {
  return pays(layout, most_channels) && with_types(type, [&]<class T, class Acc>() {
           Direct<T, Acc>(layout, static_cast<const T*>(input))
               .gather(static_cast<const T*>(weight), static_cast<const T*>(bias), static_cast<T*>(output));
         });
}

bool conv_weight_directly(c10::ScalarType type, const ConvLayout& layout, const void* input,
                          const void* grad_output, void* grad_weight) {
  return pays(layout, most_rows) && with_types(type, [&]<class T, class Acc>() {
           Direct<T, Acc>(layout, static_cast<const T*>(input))
               .weight_gradient(static_cast<const T*>(grad_output), static_cast<T*>(grad_weight));
         });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
