// Convolutions on the CPU: transposed ones and gradients as gathers.
#include <ATen/native/ConvUtils.h>
#include <ATen/native/cpu/convolution.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <numeric>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(conv_gather_stub);
DEFINE_DISPATCH(conv_weight_stub);

namespace {

// A convolution of `large` that gives `small`, whichever of them a call computes: input and output, or output
// and input of a transposed one.
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

  // From large to small.
  ConvLayout forward() const {
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
    return layout;
  }
};

// One axis of the way back, for the positions with the given residue by the stride, and where the weights of
// its first tap are.
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
  while (first < std::min(every, a.kernel) && (residue + a.padding - first * a.dilation) % a.stride != 0)
    ++first;
  const bool any = first < std::min(every, a.kernel);
  axis.taps = any ? (a.kernel - first - 1) / every + 1 : 0;
  axis.start = any ? (residue + a.padding - first * a.dilation) / a.stride : 0;
  axis.tap_step = -(a.dilation / std::gcd(a.dilation, a.stride));
  axis.tap_stride = forward.tap_stride * every;
  *first_tap = any ? first * forward.tap_stride : 0;
  return axis;
}

// From small to large: the gradient of a convolution's input.
void gather_backward(const Geometry& geometry, ScalarType type, const Tensor& small, const Tensor& weight,
                     const void* bias, const Tensor& large) {
  const ConvLayout forward = geometry.forward();
  ConvLayout layout = forward;
  std::swap(layout.in_channels, layout.out_channels);
  std::swap(layout.input_batch_stride, layout.output_batch_stride);
  std::swap(layout.input_channel_stride, layout.output_channel_stride);
  std::swap(layout.weight_in_stride, layout.weight_out_stride);
  const int64_t size = static_cast<int64_t>(elementSize(type));
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
    conv_gather_stub(kCPU, type, layout, small.const_data_ptr(), weights + tap_offset * size, bias,
                     results + offset * size);
  }
}

// Kernels compute in the contiguous format.
Tensor in_format(const Tensor& result, MemoryFormat format) {
  return format == MemoryFormat::Contiguous ? result : result.contiguous(format);
}

// Integers of other sizes are computed as Long, which is right modulo their size.
bool computes_as_long(const Tensor& t) {
  return isIntegralType(t.scalar_type(), /*includeBool=*/false) && t.scalar_type() != kLong;
}

Tensor compute(const Tensor& input, const Tensor& weight, const Tensor& bias, const ConvParams& params) {
  const Tensor x = input.contiguous(), w = weight.contiguous();
  const Tensor b = bias.defined() ? bias.contiguous() : bias;
  Tensor y = at::empty(conv_output_size(x.sizes(), w.sizes(), params), x.options());
  const void* b_data = b.defined() ? b.const_data_ptr() : nullptr;
  if (y.numel() == 0) return y;
  if (params.transposed) {
    gather_backward(Geometry(y.sizes(), x.sizes(), w.sizes(), params), x.scalar_type(), x, w, b_data, y);
  } else {
    conv_gather_stub(kCPU, x.scalar_type(), Geometry(x.sizes(), y.sizes(), w.sizes(), params).forward(),
                     x.const_data_ptr(), w.const_data_ptr(), b_data, y.mutable_data_ptr());
  }
  return y;
}

Tensor input_gradient(const Tensor& grad, const Tensor& weight, IntArrayRef input_size,
                      const ConvParams& params) {
  Tensor result = at::empty(input_size, grad.options());
  if (grad.numel() == 0) return result.zero_();
  if (params.transposed) {
    conv_gather_stub(kCPU, grad.scalar_type(),
                     Geometry(grad.sizes(), input_size, weight.sizes(), params).forward(),
                     grad.const_data_ptr(), weight.const_data_ptr(), nullptr, result.mutable_data_ptr());
  } else {
    gather_backward(Geometry(input_size, grad.sizes(), weight.sizes(), params), grad.scalar_type(), grad,
                    weight, nullptr, result);
  }
  return result;
}

Tensor weight_gradient(const Tensor& grad, const Tensor& input, IntArrayRef weight_size,
                       const ConvParams& params) {
  if (grad.numel() == 0) return at::zeros(weight_size, grad.options());
  Tensor result = at::empty(weight_size, grad.options());
  const Tensor &large = params.transposed ? grad : input, &small = params.transposed ? input : grad;
  conv_weight_stub(kCPU, grad.scalar_type(),
                   Geometry(large.sizes(), small.sizes(), weight_size, params).forward(),
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
  if (computes_as_long(input)) {
    const Tensor y =
        compute(input.to(kLong), weight.to(kLong), bias.defined() ? bias.to(kLong) : bias, params);
    return in_format(y.to(input.scalar_type()), format);
  }
  return in_format(compute(input, weight, bias, params), format);
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
  const auto operand = [&](const Tensor& t) { return t.to(type).contiguous(); };
  const auto finish = [&](const Tensor& t) { return in_format(t.to(input.scalar_type()), format); };
  const Tensor grad = operand(grad_output);
  Tensor grad_input, grad_weight, grad_bias;
  if (output_mask[0]) grad_input = finish(input_gradient(grad, operand(weight), input.sizes(), params));
  if (output_mask[1]) grad_weight = finish(weight_gradient(grad, operand(input), weight.sizes(), params));
  if (output_mask[2]) {
    DimVector dims = {0};
    for (int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    grad_bias = at::sum(grad, dims, /*keepdim=*/false, input.scalar_type());
  }
  return {std::move(grad_input), std::move(grad_weight), std::move(grad_bias)};
}

}  // namespace at::native
