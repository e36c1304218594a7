// Convolutions of few channels: the input of an image's channel with its padding, sorted by residues of the
// coordinates modulo the step, so that every tap reads contiguously.
// The outputs get the same pitch: the gaps between their lines are computed as well, and ignored.
#pragma once

#include <ATen/native/cpu/convolution/pack.h>

#include <cstdlib>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace conv_detail {

// One axis of the sorted planes.
struct PlaneAxis {
  std::vector<int64_t> residues;  // those that taps have
  std::vector<int64_t> plane_of_tap, shift_of_tap;
  int64_t base, length;  // the least coordinate; how many of each residue
  explicit PlaneAxis(const ConvAxis& axis)
      : base(axis.start + std::min<int64_t>(0, (axis.taps - 1) * axis.tap_step)), length(axis.outputs) {
    for (int64_t t = 0; t < axis.taps; ++t) {
      const int64_t at = axis.start + t * axis.tap_step - base, residue = at % axis.step;
      const auto found = std::find(residues.begin(), residues.end(), residue);
      plane_of_tap.push_back(found - residues.begin());
      if (found == residues.end()) residues.push_back(residue);
      shift_of_tap.push_back(at / axis.step);
      length = std::max(length, axis.outputs + at / axis.step);
    }
  }
  int64_t planes() const { return static_cast<int64_t>(residues.size()); }
};

template <class T, class Acc>
class Planes {
 public:
  explicit Planes(const ConvLayout& layout)
      : layout_(layout),
        axes_{PlaneAxis(layout.axes[0]), PlaneAxis(layout.axes[1]), PlaneAxis(layout.axes[2])} {
    const ConvAxis* axes = layout.axes;
    plane_size_ = axes_[0].length * axes_[1].length * axes_[2].length;
    channel_size_ = plane_size_ * axes_[0].planes() * axes_[1].planes() * axes_[2].planes();
    positions =
        ((axes[0].outputs - 1) * axes_[1].length + axes[1].outputs - 1) * axes_[2].length + axes[2].outputs;
    for_each_tap([&](int64_t z, int64_t y, int64_t x) {
      const int64_t plane =
          (axes_[0].plane_of_tap[z] * axes_[1].planes() + axes_[1].plane_of_tap[y]) * axes_[2].planes() +
          axes_[2].plane_of_tap[x];
      offsets_.push_back(plane * plane_size_ + position(axes_[0].shift_of_tap[z], axes_[1].shift_of_tap[y]) +
                         axes_[2].shift_of_tap[x]);
    });
  }

  // Where the outputs of line (z, y) are.
  int64_t position(int64_t z, int64_t y) const { return (z * axes_[1].length + y) * axes_[2].length; }
  // The planes of one channel: zeros, until `fill` writes the part that the input has.
  int64_t channel_size() const { return channel_size_; }
  // From an output position to what a tap reads for it.
  int64_t offset(int64_t channel, int64_t tap) const { return channel * channel_size_ + offsets_[tap]; }

  void fill(const T* input, Acc* to) const {
    for (const int64_t z : axes_[0].residues) {
      for (const int64_t y : axes_[1].residues) {
        for (const int64_t x : axes_[2].residues) {
          fill_plane(input, z, y, x, to);
          to += plane_size_;
        }
      }
    }
  }

  int64_t positions;  // of all outputs, gaps included

 private:
  template <class F>
  void for_each_tap(const F& visit) const {
    for (int64_t z = 0; z < layout_.axes[0].taps; ++z) {
      for (int64_t y = 0; y < layout_.axes[1].taps; ++y) {
        for (int64_t x = 0; x < layout_.axes[2].taps; ++x) visit(z, y, x);
      }
    }
  }

  void fill_plane(const T* input, int64_t z, int64_t y, int64_t x, Acc* to) const {
    const ConvAxis* axes = layout_.axes;
    const int64_t first = axes_[2].base + x, step = axes[2].step, length = axes_[2].length;
    const int64_t low = std::min(length, first >= 0 ? 0 : (-first + step - 1) / step);
    const int64_t high = std::max(
        low, std::min(length, first >= axes[2].inputs ? 0 : (axes[2].inputs - 1 - first) / step + 1));
    const T* origin = input + (first + low * step) * axes[2].input_stride;
    for (int64_t i = 0; i < axes_[0].length; ++i) {
      const int64_t at_z = axes_[0].base + z + i * axes[0].step;
      for (int64_t j = 0; j < axes_[1].length; ++j, to += length) {
        const int64_t at_y = axes_[1].base + y + j * axes[1].step;
        if (at_z < 0 || at_z >= axes[0].inputs || at_y < 0 || at_y >= axes[1].inputs) {
          continue;
        }
        copy_line(origin + at_z * axes[0].input_stride + at_y * axes[1].input_stride,
                  step * axes[2].input_stride, high - low, to + low);
      }
    }
  }

  const ConvLayout& layout_;
  PlaneAxis axes_[3];
  int64_t plane_size_, channel_size_;
  std::vector<int64_t> offsets_;
};

}  // namespace conv_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
