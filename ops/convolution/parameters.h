// What all kernels of convolutions share: arguments, their checks, and shapes of results (defined in
// composite/meta/convolution.cpp).
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/MemoryFormat.h>

#include <cstdint>

namespace at::native {

/// One number for each spatial dimension.
struct ConvParams {
  DimVector stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

/// Checks the arguments of a convolution, and repeats parameters that are given once for all dimensions.
/// bias may be undefined.
TORCH_API ConvParams check_convolution(const TensorBase& input, const TensorBase& weight,
                                       const TensorBase& bias, IntArrayRef stride, IntArrayRef padding,
                                       IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                                       int64_t groups);

/// Of checked arguments.
TORCH_API DimVector conv_output_size(IntArrayRef input_size, IntArrayRef weight_size,
                                     const ConvParams& params);

/// Channels last if that is how input or weight is laid out; gradients have it, too.
TORCH_API MemoryFormat conv_memory_format(const TensorBase& input, const TensorBase& weight);

/// Checks what the gradients of a convolution with checked arguments are made of.
TORCH_API void check_convolution_backward(const TensorBase& grad_output, const TensorBase& input,
                                          const TensorBase& weight, const ConvParams& params);

/// An image's windows as columns: im2col, and its adjoint col2im.
struct ColumnParams {
  int64_t kernel[2], dilation[2], padding[2], stride[2];
  int64_t image[2], windows[2];  // sizes of the image, and how many windows it has
  int64_t columns() const { return windows[0] * windows[1]; }
  int64_t taps() const { return kernel[0] * kernel[1]; }
};

/// Both check their arguments; the image is (channels, height, width), with a batch before it or without.
TORCH_API ColumnParams check_im2col(const TensorBase& image, IntArrayRef kernel_size, IntArrayRef dilation,
                                    IntArrayRef padding, IntArrayRef stride);
TORCH_API ColumnParams check_col2im(const TensorBase& columns, IntArrayRef output_size,
                                    IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                                    IntArrayRef stride);
/// out= has the dtype of what it is made of.
TORCH_API void check_column_output(const TensorBase& self, const TensorBase& out);
TORCH_API DimVector im2col_output_size(const TensorBase& image, const ColumnParams& params);
TORCH_API DimVector col2im_output_size(const TensorBase& columns, const ColumnParams& params);

}  // namespace at::native
