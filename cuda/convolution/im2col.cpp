// im2col and col2im on CUDA: columns of the kernels of convolutions, and their reordering.
#include <ATen/native/Resize.h>
#include <ATen/native/convolution/parameters.h>
#include <ATen/native/cuda/convolution/convolution.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/col2im.h>
#include <ATen/ops/col2im_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/im2col_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

ConvGeometry geometry_of(const ColumnParams& params, int64_t channels) {
  return {1,
          channels,
          {1, params.image[0], params.image[1]},
          {1, params.windows[0], params.windows[1]},
          {1, params.kernel[0], params.kernel[1]},
          {1, params.stride[0], params.stride[1]},
          {0, params.padding[0], params.padding[1]},
          {1, params.dilation[0], params.dilation[1]}};
}

void check_dtype(const Tensor& t, const char* function) {
  TORCH_CHECK_NOT_IMPLEMENTED(t.is_floating_point(), "\"", function, "\" not implemented for '",
                              t.scalar_type(), "'");
}

}  // namespace

Tensor im2col_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride) {
  const ColumnParams params = check_im2col(self, kernel_size, dilation, padding, stride);
  check_dtype(self, "im2col_out_cuda");
  const DimVector sizes = im2col_output_size(self, params);
  const int64_t batch = self.dim() == 4 ? self.size(0) : 1, channels = self.size(-3);
  if (batch == 0) return at::empty(sizes, self.options());
  const Tensor images = self.contiguous().view({batch, channels, params.image[0], params.image[1]});
  const Tensor columns = at::empty({batch, channels * params.taps(), params.columns()}, self.options());
  gather_columns_on_device(geometry_of(params, channels), /*by_image=*/true, images, columns);
  return columns.view(sizes);
}

Tensor& im2col_out_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation,
                        IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  check_column_output(self, out);
  const Tensor columns = at::im2col(self, kernel_size, dilation, padding, stride);
  resize_output(out, columns.sizes());
  return out.copy_(columns);
}

Tensor col2im_cuda(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                   IntArrayRef padding, IntArrayRef stride) {
  const ColumnParams params = check_col2im(self, output_size, kernel_size, dilation, padding, stride);
  check_dtype(self, "col2im_out_cuda");
  Tensor images = at::empty(col2im_output_size(self, params), self.options());
  if (images.numel() == 0) return images;
  const int64_t batch = self.dim() == 3 ? self.size(0) : 1, lines = self.size(-2);
  const Tensor columns = self.reshape({batch, lines, params.columns()}).contiguous();
  const int64_t channels = lines / params.taps();
  add_columns_on_device(geometry_of(params, channels), /*by_image=*/true, columns, /*bias=*/{},
                        images.view({batch, channels, params.image[0], params.image[1]}));
  return images;
}

Tensor& col2im_out_cuda(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
                        IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  check_column_output(self, out);
  const Tensor image = at::col2im(self, output_size, kernel_size, dilation, padding, stride);
  resize_output(out, image.sizes());
  return out.copy_(image);
}

}  // namespace at::native
