// Shared by the kernels of pixel_shuffle and pixel_unshuffle: the shapes of both.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// Images [channels, height * factor, width * factor], or [channels * factor^2, height, width].
struct PixelShuffle {
  int64_t batch = 1, channels, height, width, factor;

  DimVector shuffled(IntArrayRef like) const {
    return sizes(like, channels, height * factor, width * factor);
  }
  DimVector unshuffled(IntArrayRef like) const {
    return sizes(like, channels * factor * factor, height, width);
  }

 private:
  static DimVector sizes(IntArrayRef like, int64_t channels, int64_t height, int64_t width) {
    DimVector made(like.begin(), like.end() - 3);
    made.append({channels, height, width});
    return made;
  }
};

/// From the input of pixel_shuffle.
inline PixelShuffle pixel_shuffle_of(const TensorBase& self, int64_t factor) {
  TORCH_CHECK(self.dim() >= 3,
              "pixel_shuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
              " dimension(s)");
  TORCH_CHECK(factor > 0, "pixel_shuffle expects a positive upscale_factor, but got ", factor);
  int64_t square;
  TORCH_CHECK_VALUE(!__builtin_mul_overflow(factor, factor, &square),
                    "upscale factor is too large, (upscale_factor)^2 overflowed: upscale_factor=", factor);
  const IntArrayRef image = self.sizes().slice(self.dim() - 3);
  TORCH_CHECK(image[0] % square == 0,
              "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
              "upscale_factor, but input.size(-3)=",
              image[0], " is not divisible by ", square);
  int64_t height, width;
  TORCH_CHECK(
      !__builtin_mul_overflow(image[1], factor, &height) && !__builtin_mul_overflow(image[2], factor, &width),
      "pixel_shuffle: images of ", image[1], " x ", image[2], " enlarged by ", factor, " are too large");
  PixelShuffle shape{1, image[0] / square, image[1], image[2], factor};
  for (const int64_t size : self.sizes().slice(0, self.dim() - 3)) shape.batch *= size;
  return shape;
}

/// From the input of pixel_unshuffle.
inline PixelShuffle pixel_unshuffle_of(const TensorBase& self, int64_t factor) {
  TORCH_CHECK(self.dim() >= 3,
              "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
              " dimension(s)");
  TORCH_CHECK(factor > 0, "pixel_unshuffle expects a positive downscale_factor, but got ", factor);
  const IntArrayRef image = self.sizes().slice(self.dim() - 3);
  TORCH_CHECK(image[1] % factor == 0,
              "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=",
              image[1], " is not divisible by ", factor);
  TORCH_CHECK(image[2] % factor == 0,
              "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=",
              image[2], " is not divisible by ", factor);
  int64_t square, channels;
  TORCH_CHECK(!__builtin_mul_overflow(factor, factor, &square) &&
                  !__builtin_mul_overflow(square, image[0], &channels),
              "pixel_unshuffle: ", image[0], " channels times downscale_factor ", factor,
              " squared are too many");
  PixelShuffle shape{1, image[0], image[1] / factor, image[2] / factor, factor};
  for (const int64_t size : self.sizes().slice(0, self.dim() - 3)) shape.batch *= size;
  return shape;
}

}  // namespace at::native
