// Convolutions on CUDA: im2col of a few images at a time, and a product for each image, or for each group of
// all images; depthwise ones directly, and 1 x 1 ones as a product of the images as they are.
#include <ATen/native/convolution/memory_format.h>
#include <ATen/native/convolution/parameters.h>
#include <ATen/native/cuda/convolution/convolution.h>
#include <ATen/native/matmul/product.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/add.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/t.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace at::native {

namespace {

// The number of column elements made at a time.
constexpr int64_t most_elements = int64_t{1} << 26;

ConvGeometry geometry_of(IntArrayRef large, IntArrayRef small, IntArrayRef weight, const ConvParams& params) {
  ConvGeometry g{params.groups, large[1], {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  const size_t dims = large.size() - 2;
  for (size_t d = 0; d < dims; ++d) {
    const size_t to = 3 - dims + d;
    g.large[to] = large[d + 2], g.small[to] = small[d + 2], g.kernel[to] = weight[d + 2];
    g.stride[to] = params.stride[d], g.padding[to] = params.padding[d], g.dilation[to] = params.dilation[d];
  }
  return g;
}

bool is_depthwise(const ConvGeometry& g) { return g.channels == g.groups; }

// Each position of one image is made of that of the other.
bool is_pointwise(const ConvGeometry& g) {
  const auto all = [](const int64_t (&values)[3], int64_t wanted) {
    return std::all_of(values, values + 3, [&](int64_t value) { return value == wanted; });
  };
  return g.groups == 1 && all(g.kernel, 1) && all(g.stride, 1) && all(g.padding, 0);
}

// Without groups the columns of an image can be multiplied by themselves, and the product is an image:
// nothing is reordered. Images of few positions make better use of the device together.
bool is_by_image(const ConvGeometry& g, int64_t count) {
  constexpr int64_t few = 32;
  return g.groups == 1 && (count == 1 || g.positions() >= few);
}

// output[i] = matrix @ input[i] for all images; with `adds`, it is added to what output has.
void multiply_images(const ConvGeometry& g, const Tensor& matrix, const Tensor& input, const Tensor& output,
                     bool adds = false) {
  const int64_t count = input.size(0), rows = matrix.size(0), columns = matrix.size(1);
  multiply(output.view({count, rows, g.positions()}), matrix.expand({count, rows, columns}),
           input.view({count, columns, g.positions()}), /*beta=*/adds ? 1 : 0, /*alpha=*/1);
}

// The weight as a batch of matrices: [groups, small channels, large channels * taps].
Tensor matrices(const Tensor& weight, const ConvGeometry& g) {
  return weight.view({g.groups, weight.size(0) / g.groups, weight.size(1) * g.taps()});
}

// Images [count, groups * channels, ...] as [groups, channels, count * positions], copied.
Tensor by_groups(const Tensor& images, int64_t groups, int64_t positions) {
  const int64_t count = images.size(0), channels = images.size(1) / groups;
  return images.view({count, groups, channels, positions})
      .permute({1, 2, 0, 3})
      .reshape({groups, channels, count * positions});
}

// Calls f(first image, number of images) for parts whose columns fit.
template <class F>
void for_each_part(int64_t batch, const ConvGeometry& g, const F& f) {
  const int64_t each = std::max<int64_t>(1, g.channels * g.taps() * g.positions());
  const int64_t step = std::clamp<int64_t>(most_elements / each, 1, std::max<int64_t>(batch, 1));
  for (int64_t first = 0; first < batch; first += step) f(first, std::min(step, batch - first));
}

// Of each image, or of all together in groups.
Tensor empty_columns(const Tensor& images, const ConvGeometry& g, bool by_image) {
  const int64_t count = images.size(0), lines = g.channels / g.groups * g.taps();
  return by_image ? at::empty({count, lines, g.positions()}, images.options())
                  : at::empty({g.groups, lines, count * g.positions()}, images.options());
}

Tensor matrix_of(const Tensor& weight, const ConvGeometry& g) {
  return weight.view({weight.size(0), weight.size(1) * g.taps()});
}

void add_bias(const Tensor& output, const Tensor& bias) {
  if (!bias.defined()) return;
  DimVector sizes(static_cast<size_t>(output.dim()), 1);
  sizes[1] = bias.numel();
  const_cast<Tensor&>(output).add_(bias.view(sizes));
}

// From the large images to the small ones: the forward pass.
void forward(const ConvGeometry& g, const Tensor& large, const Tensor& weight, const Tensor& bias,
             const Tensor& small) {
  if (is_depthwise(g)) return depthwise_forward_on_device(g, large, weight, bias, small);
  if (is_pointwise(g)) {
    multiply_images(g, matrix_of(weight, g), large, small);
    return add_bias(small, bias);
  }
  const int64_t channels = small.size(1) / g.groups;
  for_each_part(large.size(0), g, [&](int64_t first, int64_t count) {
    const bool by_image = is_by_image(g, count);
    const Tensor images = large.narrow(0, first, count), columns = empty_columns(images, g, by_image);
    const Tensor part = small.narrow(0, first, count);
    if (by_image && bias.defined()) {
      gather_columns_and_fill_on_device(g, images, columns, bias, part);
    } else {
      gather_columns_on_device(g, by_image, images, columns);
    }
    if (by_image) return multiply_images(g, matrix_of(weight, g), columns, part, bias.defined());
    const Tensor product = at::bmm(matrices(weight, g), columns);
    const Tensor ordered = product.view({g.groups, channels, count, g.positions()}).permute({2, 0, 1, 3});
    Tensor to = part.view({count, g.groups, channels, g.positions()});
    if (bias.defined()) {
      at::add_out(to, ordered, bias.view({g.groups, channels, 1}));
    } else {
      to.copy_(ordered);
    }
  });
}

// From the small images to the large ones: the gradient of the input.
void backward(const ConvGeometry& g, const Tensor& small, const Tensor& weight, const Tensor& bias,
              const Tensor& large) {
  if (is_depthwise(g)) return depthwise_backward_on_device(g, small, weight, bias, large);
  if (is_pointwise(g)) {
    multiply_images(g, matrix_of(weight, g).t(), small, large);
    return add_bias(large, bias);
  }
  for_each_part(large.size(0), g, [&](int64_t first, int64_t count) {
    const Tensor part = small.narrow(0, first, count);
    const bool by_image = is_by_image(g, count);
    Tensor columns = empty_columns(large.narrow(0, first, count), g, by_image);
    if (by_image) {
      multiply_images(g, matrix_of(weight, g).t(), part, columns);
    } else {
      at::bmm_out(columns, matrices(weight, g).transpose(1, 2), by_groups(part, g.groups, g.positions()));
    }
    add_columns_on_device(g, by_image, columns, bias, large.narrow(0, first, count));
  });
}

Tensor weight_gradient(const ConvGeometry& g, const Tensor& large, const Tensor& small, IntArrayRef sizes) {
  if (is_depthwise(g)) {
    Tensor result = at::empty(sizes, large.options());
    depthwise_weight_on_device(g, large, small, result);
    return result;
  }
  Tensor sum;
  for_each_part(large.size(0), g, [&](int64_t first, int64_t count) {
    const Tensor images = large.narrow(0, first, count), grads = small.narrow(0, first, count);
    const int64_t channels = small.size(1) / g.groups;
    const Tensor columns = empty_columns(images, g, /*by_image=*/false);
    const Tensor part = at::empty({g.groups, channels, count * g.positions()}, grads.options());
    gather_columns_on_device(g, images, columns, grads, part);
    // Partial sums are not rounded to 16 bits.
    const Tensor product = at::bmm(part, columns.transpose(1, 2));
    const Tensor wide = isReducedFloatingType(product.scalar_type()) ? product.to(kFloat) : product;
    sum = sum.defined() ? at::add(sum, wide) : wide;
  });
  return sum.to(large.scalar_type()).view(sizes);
}

void check_dtype(const Tensor& t) {
  TORCH_CHECK_NOT_IMPLEMENTED(t.is_floating_point(), "\"convolution_cuda\" not implemented for '",
                              t.scalar_type(), "'");
}

}  // namespace

Tensor convolution_cuda(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias_opt,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                        IntArrayRef output_padding, int64_t groups) {
  const Tensor bias = bias_opt.value_or(Tensor());
  const ConvParams params =
      check_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
  check_dtype(input);
  const Tensor x = input.contiguous(), w = weight.contiguous(), b = bias.defined() ? bias.contiguous() : bias;
  Tensor y = at::empty(conv_output_size(x.sizes(), w.sizes(), params), x.options());
  if (y.numel() != 0 && transposed) {
    backward(geometry_of(y.sizes(), x.sizes(), w.sizes(), params), x, w, b, y);
  } else if (y.numel() != 0) {
    forward(geometry_of(x.sizes(), y.sizes(), w.sizes(), params), x, w, b, y);
  }
  return to_memory_format(y, conv_memory_format(input, weight));
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward_cuda(const Tensor& grad_output, const Tensor& input,
                                                             const Tensor& weight, IntArrayRef stride,
                                                             IntArrayRef padding, IntArrayRef dilation,
                                                             bool transposed, IntArrayRef output_padding,
                                                             int64_t groups,
                                                             std::array<bool, 3> output_mask) {
  const ConvParams params = check_convolution(input, weight, Tensor(), stride, padding, dilation, transposed,
                                              output_padding, groups);
  check_convolution_backward(grad_output, input, weight, params);
  check_dtype(input);
  const MemoryFormat format = conv_memory_format(input, weight);
  const Tensor grad = grad_output.contiguous(), x = input.contiguous(), w = weight.contiguous();
  const bool empty = grad.numel() == 0;
  const Tensor &large = transposed ? grad : x, &small = transposed ? x : grad;
  Tensor grad_input, grad_weight, grad_bias;
  if (output_mask[0]) {
    grad_input = empty ? at::zeros(x.sizes(), x.options()) : at::empty(x.sizes(), x.options());
    if (!empty && transposed) {
      forward(geometry_of(grad.sizes(), x.sizes(), w.sizes(), params), grad, w, Tensor(), grad_input);
    } else if (!empty) {
      backward(geometry_of(x.sizes(), grad.sizes(), w.sizes(), params), grad, w, Tensor(), grad_input);
    }
    grad_input = to_memory_format(grad_input, format);
  }
  if (output_mask[1]) {
    const ConvGeometry g = geometry_of(large.sizes(), small.sizes(), w.sizes(), params);
    grad_weight = to_memory_format(
        empty ? at::zeros(w.sizes(), w.options()) : weight_gradient(g, large, small, w.sizes()), format);
  }
  if (output_mask[2]) {
    DimVector dims = {0};
    for (int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    grad_bias = at::sum(grad, dims);
  }
  return {std::move(grad_input), std::move(grad_weight), std::move(grad_bias)};
}

}  // namespace at::native
