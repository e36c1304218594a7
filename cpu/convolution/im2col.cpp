// im2col and col2im on the CPU.
#include <ATen/native/Opaque.h>
#include <ATen/native/Resize.h>
#include <ATen/native/convolution/parameters.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/col2im.h>
#include <ATen/ops/col2im_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/im2col_native.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

// The windows [low, high) of an axis whose tap is inside the image, and the position of the first window's
// tap.
struct Span {
  int64_t low, high, first;
};
Span span_of(const ColumnParams& params, int axis, int64_t tap) {
  const int64_t step = params.stride[axis], first = tap * params.dilation[axis] - params.padding[axis];
  const int64_t windows = params.windows[axis], image = params.image[axis];
  const int64_t low = std::min(windows, first >= 0 ? 0 : (-first + step - 1) / step);
  const int64_t high = first >= image ? 0 : (image - 1 - first) / step + 1;
  return {low, std::clamp(high, low, windows), first};
}

// One line of columns: what one tap reads in all windows of a channel.
template <class T>
void gather_line(const ColumnParams& params, const T* image, int64_t tap, T* line) {
  const Span y = span_of(params, 0, tap / params.kernel[1]), x = span_of(params, 1, tap % params.kernel[1]);
  const int64_t step = params.stride[1], width = params.windows[1];
  for (int64_t i = 0; i < params.windows[0]; ++i, line += width) {
    if (i < y.low || i >= y.high) {
      std::fill(line, line + width, T());
      continue;
    }
    const T* from = image + (y.first + i * params.stride[0]) * params.image[1] + x.first;
    std::fill(line, line + x.low, T());
    if (step == 1) {
      std::copy(from + x.low, from + x.high, line + x.low);
    } else {
      for (int64_t j = x.low; j < x.high; ++j) line[j] = from[j * step];
    }
    std::fill(line + x.high, line + width, T());
  }
}

template <class T, class Acc>
void add_line(const ColumnParams& params, const T* line, int64_t tap, Acc* image) {
  const Span y = span_of(params, 0, tap / params.kernel[1]), x = span_of(params, 1, tap % params.kernel[1]);
  const int64_t step = params.stride[1];
  for (int64_t i = y.low; i < y.high; ++i) {
    const T* from = line + i * params.windows[1];
    Acc* to = image + (y.first + i * params.stride[0]) * params.image[1] + x.first;
    if (step == 1) {
      for (int64_t j = x.low; j < x.high; ++j) to[j] += static_cast<Acc>(from[j]);
    } else {
      for (int64_t j = x.low; j < x.high; ++j) to[j * step] += static_cast<Acc>(from[j]);
    }
  }
}

void check_dtype(const Tensor& t, const char* function) {
  TORCH_CHECK_NOT_IMPLEMENTED(!isIntegralType(t.scalar_type(), /*includeBool=*/false), "\"", function,
                              "\" not implemented for '", t.scalar_type(), "'");
}

void gather_columns(const Tensor& image, const ColumnParams& params, const Tensor& columns) {
  const int64_t lines = columns.numel() / std::max<int64_t>(params.columns(), 1), taps = params.taps();
  const int64_t image_size = params.image[0] * params.image[1];
  with_opaque_type(image.element_size(), [&]<class T>(T) {
    const T* from = static_cast<const T*>(image.const_data_ptr());
    T* to = static_cast<T*>(columns.mutable_data_ptr());
    at::parallel_for(
        0, lines, std::max<int64_t>(1, 32768 / params.columns()), [&](int64_t begin, int64_t end) {
          for (int64_t line = begin; line < end; ++line) {
            gather_line(params, from + line / taps * image_size, line % taps, to + line * params.columns());
          }
        });
  });
}

template <class T>
void add_columns(const T* columns, const ColumnParams& params, int64_t channels, T* images) {
  using Acc = at::opmath_type<T>;
  const int64_t image_size = params.image[0] * params.image[1], taps = params.taps();
  at::parallel_for(0, channels, 1, [&](int64_t begin, int64_t end) {
    std::vector<Acc> sums(static_cast<size_t>(image_size));
    for (int64_t channel = begin; channel < end; ++channel) {
      std::fill(sums.begin(), sums.end(), Acc(0));
      for (int64_t tap = 0; tap < taps; ++tap) {
        add_line(params, columns + (channel * taps + tap) * params.columns(), tap, sums.data());
      }
      for (int64_t i = 0; i < image_size; ++i) images[channel * image_size + i] = static_cast<T>(sums[i]);
    }
  });
}

}  // namespace

Tensor im2col_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                  IntArrayRef stride) {
  const ColumnParams params = check_im2col(self, kernel_size, dilation, padding, stride);
  check_dtype(self, "im2col_out_cpu");
  Tensor columns = at::empty(im2col_output_size(self, params), self.options());
  if (columns.numel() != 0) gather_columns(self.contiguous(), params, columns);
  return columns;
}

Tensor& im2col_out_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                       IntArrayRef stride, Tensor& out) {
  const ColumnParams params = check_im2col(self, kernel_size, dilation, padding, stride);
  check_column_output(self, out);
  const Tensor columns = im2col_cpu(self, kernel_size, dilation, padding, stride);
  resize_output(out, im2col_output_size(self, params));
  return out.copy_(columns);
}

Tensor col2im_cpu(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                  IntArrayRef padding, IntArrayRef stride) {
  const ColumnParams params = check_col2im(self, output_size, kernel_size, dilation, padding, stride);
  check_dtype(self, "col2im_out_cpu");
  if (self.scalar_type() == kBool) {  // true where any window is
    return at::col2im(self.to(kFloat), output_size, kernel_size, dilation, padding, stride).to(kBool);
  }
  Tensor image = at::empty(col2im_output_size(self, params), self.options());
  if (image.numel() == 0) return image;
  const int64_t channels = image.numel() / (params.image[0] * params.image[1]);
  const Tensor columns = self.contiguous();
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "col2im_out_cpu", [&] {
    add_columns(columns.const_data_ptr<scalar_t>(), params, channels, image.mutable_data_ptr<scalar_t>());
  });
  return image;
}

Tensor& col2im_out_cpu(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
                       IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  const ColumnParams params = check_col2im(self, output_size, kernel_size, dilation, padding, stride);
  check_column_output(self, out);
  const Tensor image = col2im_cpu(self, output_size, kernel_size, dilation, padding, stride);
  resize_output(out, col2im_output_size(self, params));
  return out.copy_(image);
}

}  // namespace at::native
