// pixel_shuffle, pixel_unshuffle and channel_shuffle, by views and copies.
#include <ATen/core/Tensor.h>
#include <ATen/native/shape/pixel_shuffle.h>

#include <ATen/ops/channel_shuffle_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/native_channel_shuffle.h>
#include <ATen/ops/native_channel_shuffle_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/pixel_shuffle_native.h>
#include <ATen/ops/pixel_unshuffle_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

MemoryFormat format_of(const Tensor& self) {
  return self.dim() == 4 ? self.suggest_memory_format() : MemoryFormat::Contiguous;
}

}  // namespace

Tensor math_pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  const PixelShuffle shape = pixel_shuffle_of(self, upscale_factor);
  const int64_t r = upscale_factor;
  return self.reshape({shape.batch, shape.channels, r, r, shape.height, shape.width})
      .permute({0, 1, 4, 2, 5, 3})
      .clone(MemoryFormat::Contiguous)
      .view(shape.shuffled(self.sizes()))
      .contiguous(format_of(self));
}

Tensor math_pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  const PixelShuffle shape = pixel_unshuffle_of(self, downscale_factor);
  const int64_t r = downscale_factor;
  return self.reshape({shape.batch, shape.channels, shape.height, r, shape.width, r})
      .permute({0, 1, 3, 5, 2, 4})
      .clone(MemoryFormat::Contiguous)
      .view(shape.unshuffled(self.sizes()))
      .contiguous(format_of(self));
}

// -------------------- channel_shuffle

namespace {

void check_channel_shuffle(const Tensor& self, int64_t groups) {
  TORCH_CHECK(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ",
              self.sizes());
  TORCH_CHECK(groups > 0,
              "Number of groups to divide channels in must be positive. Value of groups: ", groups);
  TORCH_CHECK(self.sizes()[1] % groups == 0, "Number of channels must be divisible by groups. Got ",
              self.sizes()[1], " channels and ", groups, " groups.");
}

// The channels as [groups, members], transposed.
Tensor exchanged(const Tensor& self, int64_t groups, MemoryFormat format) {
  const int64_t batch = self.sizes()[0], channels = self.sizes()[1];
  int64_t pixels = 1;
  for (const int64_t size : self.sizes().slice(2)) pixels *= size;
  if (format == MemoryFormat::Contiguous) {
    return self.reshape({batch, groups, channels / groups, pixels})
        .transpose(1, 2)
        .clone(MemoryFormat::Contiguous)
        .view(self.sizes());
  }
  // Channels last, then permuted back.
  DimVector last{0}, first{0, self.dim() - 1}, shape{batch};
  for (int64_t d = 2; d < self.dim(); ++d) {
    last.push_back(d);
    first.push_back(d - 1);
    shape.push_back(self.sizes()[d]);
  }
  last.push_back(1);
  shape.push_back(channels);
  return self.permute(last)
      .reshape({batch * pixels, groups, channels / groups})
      .transpose(1, 2)
      .clone(MemoryFormat::Contiguous)
      .view(shape)
      .permute(first);
}

}  // namespace

Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  check_channel_shuffle(self, groups);
  return at::native_channel_shuffle(self, groups);
}

Tensor math_channel_shuffle(const Tensor& self, int64_t groups) {
  check_channel_shuffle(self, groups);
  return exchanged(self, groups, self.suggest_memory_format());
}

}  // namespace at::native
