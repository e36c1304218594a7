// Shared by all convolution kernels: arguments, their checks, and shapes of results (defined in
// ops/convolution/meta.cpp).
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/MemoryFormat.h>

#include <cstdint>

namespace at::native {

/// One value per spatial dimension.
struct ConvParams {
  DimVector stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

/// Checks the arguments of a convolution, and expands parameters that are given once for all dimensions. bias
/// may be undefined.
TORCH_API ConvParams check_convolution(const TensorBase& input, const TensorBase& weight,
                                       const TensorBase& bias, IntArrayRef stride, IntArrayRef padding,
                                       IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                                       int64_t groups);

/// For checked arguments.
TORCH_API DimVector conv_output_size(IntArrayRef input_size, IntArrayRef weight_size,
                                     const ConvParams& params);

/// Channels last if input or weight is; gradients have the same memory format.
TORCH_API MemoryFormat conv_memory_format(const TensorBase& input, const TensorBase& weight);

/// Checks the arguments of a convolution's gradients, given its checked parameters.
TORCH_API void check_convolution_backward(const TensorBase& grad_output, const TensorBase& input,
                                          const TensorBase& weight, const ConvParams& params);

/// An image's windows as columns: im2col, and its adjoint col2im.
struct ColumnParams {
  int64_t kernel[2], dilation[2], padding[2], stride[2];
  int64_t image[2], windows[2];  // sizes of the image, and how many windows it has
  int64_t columns() const { return windows[0] * windows[1]; }
  int64_t taps() const { return kernel[0] * kernel[1]; }
};

/// Both check their arguments; the image is [channels, height, width] or [batch, channels, height, width].
TORCH_API ColumnParams check_im2col(const TensorBase& image, IntArrayRef kernel_size, IntArrayRef dilation,
                                    IntArrayRef padding, IntArrayRef stride);
TORCH_API ColumnParams check_col2im(const TensorBase& columns, IntArrayRef output_size,
                                    IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                                    IntArrayRef stride);
/// out= must have the input's dtype.
TORCH_API void check_column_output(const TensorBase& self, const TensorBase& out);
TORCH_API DimVector im2col_output_size(const TensorBase& image, const ColumnParams& params);
TORCH_API DimVector col2im_output_size(const TensorBase& columns, const ColumnParams& params);

}  // namespace at::native
