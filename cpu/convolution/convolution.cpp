// Convolutions on the CPU; transposed ones and gradients are written as gathers.
#include <ATen/native/convolution/memory_format.h>
#include <ATen/native/convolution/parameters.h>
#include <ATen/native/cpu/convolution/convolution.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/addmm.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/t.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(conv_gather_stub);
DEFINE_DISPATCH(conv_weight_stub);

namespace {

// A convolution from `large` to `small`: input and output of a convolution, output and input of a transposed
// one.
struct Geometry {
  struct Axis {
    int64_t large = 1, small = 1, kernel = 1, stride = 1, padding = 0, dilation = 1;
  };
  int64_t batch, groups, large_channels, small_channels;  // channels of one group
  Axis axes[3];

  Geometry(IntArrayRef large, IntArrayRef small, IntArrayRef weight, const ConvParams& params)
      : batch(large[0]),
        groups(params.groups),
        large_channels(large[1] / params.groups),
        small_channels(small[1] / params.groups) {
    const size_t dims = large.size() - 2;
    for (size_t d = 0; d < dims; ++d) {
      axes[3 - dims + d] = {large[d + 2],     small[d + 2],      weight[d + 2],
                            params.stride[d], params.padding[d], params.dilation[d]};
    }
  }

  int64_t taps() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }

  // From large to small: the forward pass.
  ConvLayout forward(MemoryFormat format) const {
    ConvLayout layout{};
    layout.batch = batch, layout.groups = groups;
    layout.in_channels = large_channels, layout.out_channels = small_channels;
    int64_t large = 1, small = 1, tap = 1;
    for (int d = 2; d >= 0; --d) {
      const Axis& a = axes[d];
      layout.axes[d] = {a.small, a.large, a.kernel, a.stride, -a.padding, a.dilation, small, large, tap};
      large *= a.large, small *= a.small, tap *= a.kernel;
    }
    layout.input_channel_stride = large, layout.input_batch_stride = large * groups * large_channels;
    layout.output_channel_stride = small, layout.output_batch_stride = small * groups * small_channels;
    layout.weight_in_stride = tap, layout.weight_out_stride = tap * large_channels;
    layout.weight_group_stride = layout.weight_out_stride * small_channels;
    if (format != MemoryFormat::Contiguous) {
      layout.input_channel_stride = layout.output_channel_stride = layout.weight_in_stride = 1;
      for (ConvAxis& axis : layout.axes) {
        axis.input_stride *= groups * large_channels;
        axis.output_stride *= groups * small_channels;
        axis.tap_stride *= large_channels;
      }
    }
    return layout;
  }
};

// One axis of the gradient of the input, for positions with the given residue modulo the stride, and the
// offset of the weights of its first tap.
ConvAxis backward_axis(const Geometry::Axis& a, int64_t residue, const ConvAxis& forward,
                       int64_t* first_tap) {
  ConvAxis axis;
  axis.inputs = a.small;
  axis.outputs = (a.large - residue + a.stride - 1) / a.stride;
  axis.input_stride = forward.output_stride;
  axis.output_stride = a.stride * forward.input_stride;
  // Taps t with (residue + padding - t * dilation) divisible by the stride: every `every`-th, if any.
  const int64_t every = a.stride / std::gcd(a.dilation, a.stride);
  int64_t first = 0;
  while (first < std::min(every, a.kernel) && (residue + a.padding - first * a.dilation) % a.stride != 0) {
    ++first;
  }
  const bool any = first < std::min(every, a.kernel);
  axis.taps = any ? (a.kernel - first - 1) / every + 1 : 0;
  axis.start = any ? (residue + a.padding - first * a.dilation) / a.stride : 0;
  axis.tap_step = -(a.dilation / std::gcd(a.dilation, a.stride));
  axis.tap_stride = forward.tap_stride * every;
  *first_tap = any ? first * forward.tap_stride : 0;
  return axis;
}

// From small to large: the gradient of a convolution's input.
void gather_backward(const ConvLayout& forward, const Geometry& geometry, const Tensor& small,
                     const Tensor& weight, const void* bias, const Tensor& large) {
  ConvLayout layout = forward;
  std::swap(layout.in_channels, layout.out_channels);
  std::swap(layout.input_batch_stride, layout.output_batch_stride);
  std::swap(layout.input_channel_stride, layout.output_channel_stride);
  std::swap(layout.weight_in_stride, layout.weight_out_stride);
  const int64_t size = static_cast<int64_t>(small.element_size());
  const char* const weights = static_cast<const char*>(weight.const_data_ptr());
  char* const results = static_cast<char*>(large.mutable_data_ptr());
  const auto residues = [&](int d) { return std::min(geometry.axes[d].stride, geometry.axes[d].large); };
  for (int64_t index = 0; index < residues(0) * residues(1) * residues(2); ++index) {
    int64_t rest = index, tap_offset = 0, offset = 0;
    for (int d = 2; d >= 0; --d) {
      const int64_t residue = rest % residues(d);
      rest /= residues(d);
      int64_t first_tap;
      layout.axes[d] = backward_axis(geometry.axes[d], residue, forward.axes[d], &first_tap);
      tap_offset += first_tap;
      offset += residue * forward.axes[d].input_stride;
    }
    conv_gather_stub(kCPU, small.scalar_type(), layout, small.const_data_ptr(), weights + tap_offset * size,
                     bias, results + offset * size);
  }
}

// Whether the windows are disjoint, adjacent and cover the large images, as in patch embeddings.
bool has_tiles(const Geometry& geometry, MemoryFormat format) {
  constexpr int64_t fewest_taps = 64;  // with fewer taps, the detour through memory costs more
  if (format != MemoryFormat::Contiguous || geometry.groups != 1 || geometry.taps() < fewest_taps) {
    return false;
  }
  return std::all_of(std::begin(geometry.axes), std::end(geometry.axes), [](const Geometry::Axis& a) {
    return a.stride == a.kernel && a.padding == 0 && a.dilation == 1 && a.large == a.small * a.kernel;
  });
}

// The same where has_tiles: one 1 x 1 convolution computes the results of all taps, which are then moved to
// their places.
void gather_tiles(const Geometry& geometry, const Tensor& small, const Tensor& weight, const Tensor& bias,
                  const Tensor& large) {
  const Geometry::Axis *z = &geometry.axes[0], *y = &geometry.axes[1], *x = &geometry.axes[2];
  const int64_t positions = z->small * y->small * x->small, taps = geometry.taps();
  ConvLayout layout{};
  layout.batch = geometry.batch, layout.groups = 1;
  layout.in_channels = geometry.small_channels, layout.out_channels = geometry.large_channels * taps;
  layout.axes[2].outputs = layout.axes[2].inputs = positions;
  layout.axes[2].output_stride = layout.axes[2].input_stride = 1;
  layout.input_channel_stride = layout.output_channel_stride = positions;
  layout.input_batch_stride = positions * layout.in_channels;
  layout.output_batch_stride = positions * layout.out_channels;
  layout.weight_in_stride = layout.out_channels, layout.weight_out_stride = 1;
  const Tensor parts = at::empty({geometry.batch, geometry.large_channels, z->kernel, y->kernel, x->kernel,
                                  z->small, y->small, x->small},
                                 small.options());
  Tensor biases;
  if (bias.defined()) {
    biases = at::empty({geometry.large_channels, taps}, small.options());
    biases.copy_(bias.view({geometry.large_channels, 1}));
  }
  conv_gather_stub(kCPU, small.scalar_type(), layout, small.const_data_ptr(), weight.const_data_ptr(),
                   bias.defined() ? biases.const_data_ptr() : nullptr, parts.mutable_data_ptr());
  large
      .view({geometry.batch, geometry.large_channels, z->small, z->kernel, y->small, y->kernel, x->small,
             x->kernel})
      .copy_(at::permute(parts, {0, 1, 5, 2, 6, 3, 7, 4}));
}

// Integers of other sizes are computed as Long, which is exact modulo their size.
bool computes_as_long(const Tensor& t) {
  return isIntegralType(t.scalar_type(), /*includeBool=*/false) && t.scalar_type() != kLong;
}

// With channels last, a 1 x 1 convolution is one matrix product.
bool is_matrix_product(const Tensor& input, const Tensor& weight, const ConvParams& params,
                       MemoryFormat format) {
  if (format == MemoryFormat::Contiguous || params.groups != 1 || input.numel() == 0) return false;
  for (size_t d = 0; d < params.stride.size(); ++d) {
    const bool plain = params.stride[d] == 1 && params.padding[d] == 0 && params.output_padding[d] == 0;
    if (!plain || weight.size(static_cast<int64_t>(d) + 2) != 1) return false;
  }
  return true;
}

// Images as a matrix with a row per position, and back.
Tensor as_matrix(const Tensor& images, MemoryFormat format) {
  DimVector order = {0};
  for (int64_t d = 2; d < images.dim(); ++d) order.push_back(d);
  order.push_back(1);
  return at::reshape(at::permute(images.contiguous(format), order), {-1, images.size(1)});
}
Tensor as_images(const Tensor& matrix, IntArrayRef like) {
  DimVector sizes = {like[0]}, order = {0, static_cast<int64_t>(like.size()) - 1};
  for (size_t d = 2; d < like.size(); ++d) {
    sizes.push_back(like[d]);
    order.push_back(static_cast<int64_t>(d) - 1);
  }
  sizes.push_back(matrix.size(1));
  return at::permute(matrix.view(sizes), order);
}
// [in channels, out channels]
Tensor as_matrix(const Tensor& weight, bool transposed) {
  const Tensor matrix = at::reshape(weight, {weight.size(0), weight.size(1)});
  return transposed ? matrix : at::t(matrix);
}

// The images, in this memory format, that a convolution or its gradient makes of others.
Tensor convolve(const Tensor& images, const Tensor& weight, const Tensor& bias, IntArrayRef result_size,
                const ConvParams& params, bool to_large, MemoryFormat format) {
  const Geometry geometry(to_large ? result_size : images.sizes(), to_large ? images.sizes() : result_size,
                          weight.sizes(), params);
  const Tensor x = images.contiguous(format), w = weight.contiguous(format);
  const Tensor b = bias.defined() ? bias.contiguous() : bias;
  const void* b_data = b.defined() ? b.const_data_ptr() : nullptr;
  Tensor y = at::empty(result_size, x.options(), format);
  if (x.numel() == 0 || y.numel() == 0) return y.zero_();
  if (to_large && has_tiles(geometry, format)) {
    gather_tiles(geometry, x, w, b, y);
  } else if (to_large) {
    gather_backward(geometry.forward(format), geometry, x, w, b_data, y);
  } else {
    conv_gather_stub(kCPU, x.scalar_type(), geometry.forward(format), x.const_data_ptr(), w.const_data_ptr(),
                     b_data, y.mutable_data_ptr());
  }
  return y;
}

Tensor weight_gradient(const Tensor& grad, const Tensor& input, IntArrayRef weight_size,
                       const ConvParams& params) {
  if (grad.numel() == 0) return at::zeros(weight_size, grad.options());
  Tensor result = at::empty(weight_size, grad.options());
  const Tensor &large = params.transposed ? grad : input, &small = params.transposed ? input : grad;
  conv_weight_stub(
      kCPU, grad.scalar_type(),
      Geometry(large.sizes(), small.sizes(), weight_size, params).forward(MemoryFormat::Contiguous),
      large.const_data_ptr(), small.const_data_ptr(), result.mutable_data_ptr());
  return result;
}

}  // namespace

Tensor convolution_cpu(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias_opt,
                       IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                       IntArrayRef output_padding, int64_t groups) {
  const Tensor bias = bias_opt.value_or(Tensor());
  const ConvParams params =
      check_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
  const MemoryFormat format = conv_memory_format(input, weight);
  if (is_matrix_product(input, weight, params, format)) {
    const Tensor x = as_matrix(input, format), w = as_matrix(weight, transposed);
    return as_images(bias.defined() ? at::addmm(bias, x, w) : at::mm(x, w), input.sizes());
  }
  const DimVector size = conv_output_size(input.sizes(), weight.sizes(), params);
  if (computes_as_long(input)) {
    const Tensor wide_bias = bias.defined() ? bias.to(kLong) : bias;
    return convolve(input.to(kLong), weight.to(kLong), wide_bias, size, params, transposed, format)
        .to(input.scalar_type());
  }
  return convolve(input, weight, bias, size, params, transposed, format);
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward_cpu(const Tensor& grad_output, const Tensor& input,
                                                            const Tensor& weight, IntArrayRef stride,
                                                            IntArrayRef padding, IntArrayRef dilation,
                                                            bool transposed, IntArrayRef output_padding,
                                                            int64_t groups, std::array<bool, 3> output_mask) {
  const ConvParams params = check_convolution(input, weight, Tensor(), stride, padding, dilation, transposed,
                                              output_padding, groups);
  check_convolution_backward(grad_output, input, weight, params);
  const MemoryFormat format = conv_memory_format(input, weight);
  const ScalarType type = computes_as_long(input) ? kLong : input.scalar_type();
  Tensor grad_input, grad_weight, grad_bias;
  if (is_matrix_product(input, weight, params, format)) {
    const Tensor g = as_matrix(grad_output, format);
    const Tensor w = as_matrix(weight, transposed);
    if (output_mask[0]) grad_input = as_images(at::mm(g, at::t(w)), input.sizes());
    if (output_mask[1]) {
      const Tensor x = as_matrix(input, format);
      const Tensor product = transposed ? at::mm(at::t(x), g) : at::mm(at::t(g), x);
      grad_weight = to_memory_format(product.view(weight.sizes()), format);
    }
    if (output_mask[2]) grad_bias = at::sum(g, {0}, /*keepdim=*/false, input.scalar_type());
    return {std::move(grad_input), std::move(grad_weight), std::move(grad_bias)};
  }
  const Tensor grad = grad_output.to(type);
  if (output_mask[0]) {
    grad_input = convolve(grad, weight.to(type), Tensor(), input.sizes(), params, !transposed, format);
    grad_input = grad_input.to(input.scalar_type());
  }
  if (output_mask[1]) {
    const Tensor sums =
        weight_gradient(grad.contiguous(), input.to(type).contiguous(), weight.sizes(), params);
    grad_weight = to_memory_format(sums.to(input.scalar_type()), format);
  }
  if (output_mask[2]) {
    DimVector dims = {0};
    for (int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    grad_bias = at::sum(grad, dims, /*keepdim=*/false, input.scalar_type());
  }
  return {std::move(grad_input), std::move(grad_weight), std::move(grad_bias)};
}

}  // namespace at::native
