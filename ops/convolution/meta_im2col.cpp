// im2col and col2im: checks of their arguments and shapes of their results, which all devices share, and the
// kernels of the Meta device.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/Windows.h>
#include <ATen/native/convolution/parameters.h>
#include <c10/util/Exception.h>

#include <ATen/ops/col2im_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/im2col_native.h>

namespace at::native {

namespace {

using Pair = int64_t[2];

void read(IntArrayRef values, Pair& to) {
  to[0] = values.at(0);
  to[1] = values.at(1);
}

ColumnParams read_params(IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                         IntArrayRef stride) {
  ColumnParams params{};
  read(kernel_size, params.kernel);
  read(dilation, params.dilation);
  read(padding, params.padding);
  read(stride, params.stride);
  return params;
}

// The number of windows in each dimension of the image: at least one.
void count_windows(ColumnParams& params, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride) {
  for (int d = 0; d < 2; ++d) {
    WindowAxis axis{params.kernel[d], params.stride[d], params.padding[d], params.dilation[d]};
    const WindowFit fit = fit_windows(params.image[d], axis, /*ceil_mode=*/false, &params.windows[d]);
    TORCH_CHECK(fit == WindowFit::Fits, "Given an image of size (", params.image[0], ", ", params.image[1],
                "), kernel_size=", kernel_size, ", dilation=", dilation, ", padding=", padding,
                ", stride=", stride, ", the array of sliding blocks would ",
                fit == WindowFit::None ? "have no" : "have too many", " elements in dimension ", d);
    axis.clamp_steps();
    params.stride[d] = axis.stride;
    params.dilation[d] = axis.dilation;
  }
}

// The sizes [batch,] first, rest...: all except the batch must be nonzero.
void check_sizes(const TensorBase& t, int64_t dims, const char* expected) {
  bool good = t.dim() == dims || t.dim() == dims + 1;
  for (int64_t d = t.dim() - dims; good && d < t.dim(); ++d) good = t.size(d) != 0;
  TORCH_CHECK(
      good, "Expected ", expected,
      " (batch mode) tensor for input with possibly 0 batch size and other non-zero dimensions, but got: ",
      t.sizes());
}

DimVector sizes_with_batch(const TensorBase& self, int64_t dims, DimVector sizes) {
  if (self.dim() == dims + 1) sizes.insert(sizes.begin(), self.size(0));
  return sizes;
}

int64_t product(int64_t a, int64_t b, int64_t c = 1) {
  int64_t result = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &result) || __builtin_mul_overflow(result, c, &result);
  TORCH_CHECK(!overflows, "im2col: sizes ", a, ", ", b, " and ", c, " are too large");
  return result;
}

}  // namespace

ColumnParams check_im2col(const TensorBase& image, IntArrayRef kernel_size, IntArrayRef dilation,
                          IntArrayRef padding, IntArrayRef stride) {
  ColumnParams params = read_params(kernel_size, dilation, padding, stride);
  check_sizes(image, 3, "3D or 4D");
  params.image[0] = image.size(-2);
  params.image[1] = image.size(-1);
  count_windows(params, kernel_size, dilation, padding, stride);
  return params;
}

ColumnParams check_col2im(const TensorBase& columns, IntArrayRef output_size, IntArrayRef kernel_size,
                          IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  ColumnParams params = read_params(kernel_size, dilation, padding, stride);
  read(output_size, params.image);
  check_sizes(columns, 2, "2D or 3D");
  count_windows(params, kernel_size, dilation, padding, stride);
  const int64_t taps = product(params.kernel[0], params.kernel[1]);
  TORCH_CHECK(columns.size(-2) % taps == 0, "Expected size of input's dimension ", columns.dim() - 2,
              " to be divisible by the product of kernel_size, but got ", columns.size(-2),
              " and kernel_size=", kernel_size);
  TORCH_CHECK(columns.size(-1) == product(params.windows[0], params.windows[1]),
              "Given output_size=", output_size, ", kernel_size=", kernel_size, ", dilation=", dilation,
              ", padding=", padding, ", stride=", stride, ", expected size of input's dimension ",
              columns.dim() - 1, " to match the number of sliding blocks ", params.windows[0], " * ",
              params.windows[1], ", but got ", columns.size(-1));
  return params;
}

void check_column_output(const TensorBase& self, const TensorBase& out) {
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), "expected scalar type ", self.scalar_type(),
              " but found ", out.scalar_type());
}

DimVector im2col_output_size(const TensorBase& image, const ColumnParams& params) {
  const int64_t rows = product(image.size(-3), params.kernel[0], params.kernel[1]);
  return sizes_with_batch(image, 3, {rows, product(params.windows[0], params.windows[1])});
}

DimVector col2im_output_size(const TensorBase& columns, const ColumnParams& params) {
  return sizes_with_batch(columns, 2, {columns.size(-2) / params.taps(), params.image[0], params.image[1]});
}

// -------------------- Meta

Tensor im2col_meta(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride) {
  const ColumnParams params = check_im2col(self, kernel_size, dilation, padding, stride);
  return at::empty(im2col_output_size(self, params), self.options());
}

Tensor& im2col_out_meta(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation,
                        IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  const ColumnParams params = check_im2col(self, kernel_size, dilation, padding, stride);
  check_column_output(self, out);
  resize_output(out, im2col_output_size(self, params));
  return out;
}

Tensor col2im_meta(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                   IntArrayRef padding, IntArrayRef stride) {
  const ColumnParams params = check_col2im(self, output_size, kernel_size, dilation, padding, stride);
  return at::empty(col2im_output_size(self, params), self.options());
}

Tensor& col2im_out_meta(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
                        IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  const ColumnParams params = check_col2im(self, output_size, kernel_size, dilation, padding, stride);
  check_column_output(self, out);
  resize_output(out, col2im_output_size(self, params));
  return out;
}

}  // namespace at::native
