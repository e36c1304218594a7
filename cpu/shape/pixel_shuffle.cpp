// pixel_shuffle and pixel_unshuffle on the CPU: rows of pixels are interleaved or separated.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/shape/pixel_shuffle.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/pixel_shuffle_native.h>
#include <ATen/ops/pixel_unshuffle_native.h>

namespace at::native {

namespace {

// Strides of both images: of the small one within a channel, of the small one's channels, and of neighbours
// in the large one.
struct Layout {
  int64_t pixel, channel, large_pixel, large_channel;
};

// One row of one channel of the large image, `phase` of the `factor` that come from a row of the small one.
// `move(large, small)` copies in either direction.
template <class Large, class Small, class Move>
void row(const PixelShuffle& shape, const Layout& layout, Large* large, Small* small, int64_t phase,
         const Move& move) {
  const int64_t r = shape.factor;
  if (r == 2 && layout.pixel == 1 && layout.large_pixel == 1) {
    Small* const left = small + phase * 2 * layout.channel;
    Small* const right = left + layout.channel;
    for (int64_t w = 0; w < shape.width; ++w) {
      move(large[2 * w], left[w]);
      move(large[2 * w + 1], right[w]);
    }
    return;
  }
  for (int64_t j = 0; j < r; ++j) {
    Small* const from = small + (phase * r + j) * layout.channel;
    Large* const to = large + j * layout.large_pixel;
    for (int64_t w = 0; w < shape.width; ++w) move(to[w * r * layout.large_pixel], from[w * layout.pixel]);
  }
}

template <class Large, class Small, class Move>
void all_rows(const PixelShuffle& shape, bool channels_last, Large* large, Small* small, const Move& move) {
  const int64_t r = shape.factor, small_plane = shape.height * shape.width, large_plane = small_plane * r * r;
  const int64_t item = shape.channels * large_plane;
  const Layout layout = channels_last ? Layout{shape.channels * r * r, 1, shape.channels, 1}
                                      : Layout{1, small_plane, 1, large_plane};
  const int64_t rows = shape.height * r, per_row = shape.channels * shape.width * r;
  at::parallel_for(
      0, shape.batch * rows, std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(per_row, 1)),
      [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const int64_t y = i % rows, h = y / r;
          Large* const to = large + i / rows * item + y * shape.width * r * layout.large_pixel;
          Small* const from = small + i / rows * item + h * shape.width * layout.pixel;
          for (int64_t c = 0; c < shape.channels; ++c) {
            row(shape, layout, to + c * layout.large_channel, from + c * r * r * layout.channel, y % r, move);
          }
        }
      });
}

MemoryFormat format_of(const Tensor& self) {
  return self.dim() == 4 ? self.suggest_memory_format() : MemoryFormat::Contiguous;
}

}  // namespace

Tensor pixel_shuffle_cpu(const Tensor& self, int64_t upscale_factor) {
  const PixelShuffle shape = pixel_shuffle_of(self, upscale_factor);
  const MemoryFormat format = format_of(self);
  Tensor result = at::empty(shape.shuffled(self.sizes()), self.options().memory_format(format));
  if (result.numel() == 0) return result;
  const Tensor dense = self.contiguous(format);
  with_opaque_type(self.element_size(), [&](auto type) {
    using T = decltype(type);
    all_rows(shape, format != MemoryFormat::Contiguous, static_cast<T*>(result.mutable_data_ptr()),
             static_cast<const T*>(dense.const_data_ptr()), [](T& large, const T& small) { large = small; });
  });
  return result;
}

Tensor pixel_unshuffle_cpu(const Tensor& self, int64_t downscale_factor) {
  const PixelShuffle shape = pixel_unshuffle_of(self, downscale_factor);
  const MemoryFormat format = format_of(self);
  Tensor result = at::empty(shape.unshuffled(self.sizes()), self.options().memory_format(format));
  if (result.numel() == 0) return result;
  const Tensor dense = self.contiguous(format);
  with_opaque_type(self.element_size(), [&](auto type) {
    using T = decltype(type);
    all_rows(shape, format != MemoryFormat::Contiguous, static_cast<const T*>(dense.const_data_ptr()),
             static_cast<T*>(result.mutable_data_ptr()), [](const T& large, T& small) { small = large; });
  });
  return result;
}

}  // namespace at::native
