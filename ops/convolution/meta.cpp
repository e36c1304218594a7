// Convolutions: checks of their arguments and shapes of their results, which all devices share, and the
// kernels of the Meta device.
#include <ATen/core/Tensor.h>
#include <ATen/native/Windows.h>
#include <ATen/native/convolution/parameters.h>
#include <c10/util/Exception.h>

#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace at::native {

namespace {

DimVector expanded(IntArrayRef values, int64_t dims, const char* name) {
  const int64_t given = static_cast<int64_t>(values.size());
  TORCH_CHECK(given == 1 || given == dims, "expected ", name, " to be a single integer value or a list of ",
              dims, " values to match the convolution dimensions, but got ", name, "=", values);
  return given == dims ? DimVector(values) : DimVector(static_cast<size_t>(dims), values[0]);
}

// Guards made from schemas/checks.yaml have rejected these before.
void assert_numbers(const ConvParams& params) {
  const auto all = [](IntArrayRef values, int64_t least) {
    return std::all_of(values.begin(), values.end(), [&](int64_t value) { return value >= least; });
  };
  TORCH_INTERNAL_ASSERT(all(params.padding, 0) && all(params.output_padding, 0) && all(params.stride, 1) &&
                        all(params.dilation, 1) && params.groups > 0);
}

void check_channels(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                    const ConvParams& params) {
  const IntArrayRef w = weight.sizes();
  TORCH_CHECK(w[0] >= params.groups, "Given groups=", params.groups, ", expected weight to be at least ",
              params.groups, " at dimension 0, but got weight of size ", w, " instead");
  TORCH_CHECK(w[0] % params.groups == 0, "Given groups=", params.groups,
              ", expected weight to be divisible by ", params.groups,
              " at dimension 0, but got weight of size ", w, " instead");
  const int64_t channels = params.transposed ? w[0] : w[1] * params.groups;
  TORCH_CHECK(input.size(1) == channels, "Given groups=", params.groups, ", transposed=", params.transposed,
              ", weight of size ", w, ", expected input", input.sizes(), " to have ", channels,
              " channels, but got ", input.size(1), " channels instead");
  const int64_t results = params.transposed ? w[1] * params.groups : w[0];
  TORCH_CHECK(!bias.defined() || (bias.dim() == 1 && bias.size(0) == results),
              "Given transposed=", params.transposed, ", weight of size ", w,
              ", expected bias to be 1-dimensional with ", results, " elements, but got bias of size ",
              bias.sizes(), " instead");
}

WindowAxis window_axis(int64_t kernel, const ConvParams& params, size_t d) {
  return {kernel, params.stride[d], params.padding[d], params.dilation[d]};
}

int64_t transposed_size(int64_t input, const WindowAxis& axis, const ConvParams& params, size_t d) {
  using Wide = __int128;
  const Wide padding = Wide(2) * axis.padding, span = axis.span();
  const Wide size = Wide(input - 1) * axis.stride - padding + span + params.output_padding[d];
  TORCH_CHECK(size >= 1 && std::max({size, padding, span}) <= max_positions, "Given an input of size ", input,
              ", kernel size ", axis.kernel, ", stride ", axis.stride, ", padding ", axis.padding,
              ", dilation ", axis.dilation, " and output_padding ", params.output_padding[d],
              " at spatial dimension ", d, ", the transposed convolution's output would be too ",
              size < 1 ? "small" : "large");
  return static_cast<int64_t>(size);
}

// The size of an axis of the result.
int64_t axis_size(int64_t input, int64_t kernel, const ConvParams& params, size_t d) {
  const WindowAxis axis = window_axis(kernel, params, d);
  if (params.transposed) return transposed_size(input, axis, params, d);
  int64_t windows = 0;
  const WindowFit fit = fit_windows(input, axis, /*ceil_mode=*/false, &windows);
  TORCH_CHECK(fit != WindowFit::None, "Calculated padded input size per channel: ", input, " + 2 * ",
              axis.padding, " at spatial dimension ", d, ". Kernel size: ", kernel, " with dilation ",
              axis.dilation, ". Kernel size can't be greater than actual input size");
  TORCH_CHECK(fit != WindowFit::TooMany, "input size ", input, " with padding ", axis.padding,
              " at spatial dimension ", d, " is too large");
  return windows;
}

void check_spatial(const TensorBase& input, const TensorBase& weight, const ConvParams& params) {
  bool zero_kernel = false, zero_input = false;
  for (int64_t d = 2; d < input.dim(); ++d) {
    zero_kernel |= weight.size(d) == 0;
    zero_input |= input.size(d) == 0;
    const size_t s = static_cast<size_t>(d - 2);
    TORCH_CHECK(!params.transposed || params.output_padding[s] < params.stride[s] ||
                    params.output_padding[s] < params.dilation[s],
                "output padding must be smaller than either stride or dilation, but got output_padding=",
                IntArrayRef(params.output_padding), ", stride=", IntArrayRef(params.stride),
                ", dilation=", IntArrayRef(params.dilation));
  }
  TORCH_CHECK(!zero_kernel, "kernel size should be greater than zero, but got weight of size ",
              weight.sizes());
  for (int64_t d = 2; d < input.dim(); ++d) {
    axis_size(input.size(d), weight.size(d), params, static_cast<size_t>(d - 2));
  }
  TORCH_CHECK(!zero_input,
              "Only zero batch or zero channel inputs are supported, but got input shape: ", input.sizes());
}

}  // namespace

ConvParams check_convolution(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                             IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                             IntArrayRef output_padding, int64_t groups) {
  TORCH_INTERNAL_ASSERT(weight.dim() >= 3 && weight.dim() <= 5);
  TORCH_CHECK(input.dim() == weight.dim(), "Expected ", weight.dim(), "-dimensional input for ", weight.dim(),
              "-dimensional weight ", weight.sizes(), ", but got ", input.dim(),
              "-dimensional input of size ", input.sizes(), " instead");
  TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "Input type (", input.scalar_type(),
              ") and weight type (", weight.scalar_type(), ") should be the same");
  TORCH_CHECK(!bias.defined() || bias.scalar_type() == input.scalar_type(), "Input type (",
              input.scalar_type(), ") and bias type (", bias.scalar_type(), ") should be the same");
  const int64_t dims = weight.dim() - 2;
  ConvParams params{expanded(stride, dims, "stride"),
                    expanded(padding, dims, "padding"),
                    expanded(dilation, dims, "dilation"),
                    expanded(output_padding, dims, "output_padding"),
                    transposed,
                    groups};
  assert_numbers(params);
  check_channels(input, weight, bias, params);
  check_spatial(input, weight, params);
  for (size_t d = 0; d < params.stride.size(); ++d) {  // an output_padding is smaller than max_step
    params.stride[d] = std::min(params.stride[d], max_step);
    params.dilation[d] = std::min(params.dilation[d], max_step);
  }
  return params;
}

DimVector conv_output_size(IntArrayRef input_size, IntArrayRef weight_size, const ConvParams& params) {
  // An input without channels gives a result without channels.
  const int64_t channels = params.transposed ? weight_size[1] * params.groups : weight_size[0];
  DimVector sizes = {input_size[0], input_size[1] == 0 ? 0 : channels};
  for (size_t d = 2; d < input_size.size(); ++d) {
    sizes.push_back(axis_size(input_size[d], weight_size[d], params, d - 2));
  }
  return sizes;
}

MemoryFormat conv_memory_format(const TensorBase& input, const TensorBase& weight) {
  if (input.dim() == 3) return MemoryFormat::Contiguous;
  const MemoryFormat channels_last =
      input.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
  const bool wanted =
      input.suggest_memory_format() == channels_last || weight.suggest_memory_format() == channels_last;
  return wanted ? channels_last : MemoryFormat::Contiguous;
}

void check_convolution_backward(const TensorBase& grad_output, const TensorBase& input,
                                const TensorBase& weight, const ConvParams& params) {
  const DimVector expected = conv_output_size(input.sizes(), weight.sizes(), params);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected),
              "Expected grad_output to have the convolution's output size ", IntArrayRef(expected),
              ", but got ", grad_output.sizes());
  TORCH_CHECK(grad_output.scalar_type() == input.scalar_type(), "Input type (", input.scalar_type(),
              ") and grad_output type (", grad_output.scalar_type(), ") should be the same");
}

// -------------------- Meta

Tensor convolution_meta(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                        IntArrayRef output_padding, int64_t groups) {
  const ConvParams params = check_convolution(input, weight, bias.value_or(Tensor()), stride, padding,
                                              dilation, transposed, output_padding, groups);
  return at::empty(conv_output_size(input.sizes(), weight.sizes(), params), input.options(),
                   conv_memory_format(input, weight));
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward_meta(const Tensor& grad_output, const Tensor& input,
                                                             const Tensor& weight, IntArrayRef stride,
                                                             IntArrayRef padding, IntArrayRef dilation,
                                                             bool transposed, IntArrayRef output_padding,
                                                             int64_t groups,
                                                             std::array<bool, 3> output_mask) {
  const ConvParams params = check_convolution(input, weight, Tensor(), stride, padding, dilation, transposed,
                                              output_padding, groups);
  check_convolution_backward(grad_output, input, weight, params);
  const MemoryFormat format = conv_memory_format(input, weight);
  const auto like = [&](bool wanted, IntArrayRef sizes, std::optional<MemoryFormat> layout) {
    return wanted ? at::empty(sizes, grad_output.options(), layout) : Tensor();
  };
  return {like(output_mask[0], input.sizes(), format), like(output_mask[1], weight.sizes(), format),
          like(output_mask[2], {grad_output.size(1)}, std::nullopt)};
}

}  // namespace at::native
