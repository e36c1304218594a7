// Convolution kernels on CUDA: im2col and col2im, and depthwise convolutions.
#pragma once

#include <ATen/core/TensorBase.h>

#include <cstdint>

namespace at::native {

// A convolution from `large` to `small` images: the input's and the output's sizes, or of a transposed one
// the output's and the input's.
struct ConvGeometry {
  int64_t groups, channels;  // channels of the large image, for all groups together
  int64_t large[3], small[3], kernel[3], stride[3], padding[3], dilation[3];

  constexpr int64_t positions() const { return small[0] * small[1] * small[2]; }
  constexpr int64_t large_positions() const { return large[0] * large[1] * large[2]; }
  constexpr int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
};

/// images: [count, channels, large...], columns: [channels, taps, count, positions], or [count, channels,
/// taps, positions] if `by_image`. All are contiguous.
void gather_columns_on_device(const ConvGeometry& geometry, bool by_image, const TensorBase& images,
                              const TensorBase& columns);
/// The first kind, and small images [count, small channels, positions] as [small channels, count, positions].
void gather_columns_on_device(const ConvGeometry& geometry, const TensorBase& images,
                              const TensorBase& columns, const TensorBase& small,
                              const TensorBase& by_channel);
/// The second kind, and small images [count, small channels, positions] whose elements are their channel's
/// bias.
void gather_columns_and_fill_on_device(const ConvGeometry& geometry, const TensorBase& images,
                                       const TensorBase& columns, const TensorBase& bias,
                                       const TensorBase& small);
/// The adjoint (col2im): every element of the images is the sum of the columns' elements that were read from
/// it, and of its channel's bias, which may be undefined.
void add_columns_on_device(const ConvGeometry& geometry, bool by_image, const TensorBase& columns,
                           const TensorBase& bias, const TensorBase& images);

/// Groups of one large channel each; weight: [groups * small channels per group, taps]. bias may be
/// undefined.
void depthwise_forward_on_device(const ConvGeometry& geometry, const TensorBase& large,
                                 const TensorBase& weight, const TensorBase& bias, const TensorBase& small);
void depthwise_backward_on_device(const ConvGeometry& geometry, const TensorBase& small,
                                  const TensorBase& weight, const TensorBase& bias, const TensorBase& large);
void depthwise_weight_on_device(const ConvGeometry& geometry, const TensorBase& large,
                                const TensorBase& small, const TensorBase& weight);

}  // namespace at::native
