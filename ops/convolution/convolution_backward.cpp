// convolution_backward and its double backward; conv_tbc, a convolution with another layout.
#include <ATen/core/Tensor.h>
#include <ATen/native/convolution/parameters.h>

#include <ATen/ops/_convolution_double_backward_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/conv_tbc_backward_native.h>
#include <ATen/ops/conv_tbc_native.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/convolution_backward_native.h>
#include <ATen/ops/convolution_backward_overrideable.h>
#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, OptionalIntArrayRef bias_sizes,
                                                        IntArrayRef stride, IntArrayRef padding,
                                                        IntArrayRef dilation, bool transposed,
                                                        IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> output_mask) {
  const ConvParams params = check_convolution(input, weight, Tensor(), stride, padding, dilation, transposed,
                                              output_padding, groups);
  check_convolution_backward(grad_output, input, weight, params);
  auto [grad_input, grad_weight, grad_bias] = at::convolution_backward_overrideable(
      grad_output, input, weight, params.stride, params.padding, params.dilation, transposed,
      params.output_padding, groups, output_mask);
  // Without channels there was no output; the bias has a size nevertheless.
  if (output_mask[2] && bias_sizes.has_value() && input.size(1) == 0) {
    grad_bias = at::zeros(*bias_sizes, grad_output.options());
  }
  return {std::move(grad_input), std::move(grad_weight), std::move(grad_bias)};
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward_overrideable(const Tensor& grad_output, const Tensor&,
                                                                     const Tensor&, IntArrayRef, IntArrayRef,
                                                                     IntArrayRef, bool, IntArrayRef, int64_t,
                                                                     std::array<bool, 3>) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "there is no gradient of convolutions for tensors on ",
                              grad_output.device(),
                              ": a backend registers its kernel for aten::convolution_backward_overrideable");
}

// A convolution is bilinear in input and weight: its gradients are linear in each of their arguments.
std::tuple<Tensor, Tensor, Tensor> _convolution_double_backward(
    const std::optional<Tensor>& ggI_opt, const std::optional<Tensor>& ggW_opt,
    const std::optional<Tensor>& ggb_opt, const Tensor& gO, const Tensor& weight, const Tensor& self,
    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
    IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask) {
  const Tensor ggI = ggI_opt.value_or(Tensor()), ggW = ggW_opt.value_or(Tensor()),
               ggb = ggb_opt.value_or(Tensor());
  const auto backward = [&](const Tensor& input, const Tensor& of_weight, std::array<bool, 3> mask) {
    return at::convolution_backward(gO, input, of_weight, std::nullopt, stride, padding, dilation, transposed,
                                    output_padding, groups, mask);
  };
  const auto forward = [&](const Tensor& input, const Tensor& of_weight, const std::optional<Tensor>& bias) {
    return at::convolution(input, of_weight, bias, stride, padding, dilation, transposed, output_padding,
                           groups);
  };
  Tensor ggO, gI, gW;
  if (output_mask[0]) {
    if (ggI.defined()) ggO = forward(ggI, weight, ggb_opt);
    if (ggW.defined()) {
      const Tensor other = forward(self, ggW, ggI.defined() ? std::nullopt : ggb_opt);
      ggO = ggO.defined() ? at::add(ggO, other) : other;
    }
    if (!ggO.defined() && ggb.defined()) {
      DimVector sizes(static_cast<size_t>(gO.dim()), 1);
      sizes[1] = gO.size(1);
      ggO = at::add(at::zeros_like(gO), ggb.view(sizes));
    }
  }
  if (output_mask[1] && gO.defined()) {
    gI = ggW.defined() ? std::get<0>(backward(self, ggW, {true, false, false})) : at::zeros_like(self);
  }
  if (output_mask[2] && gO.defined()) {
    gW = ggI.defined() ? std::get<1>(backward(ggI, weight, {false, true, false})) : at::zeros_like(weight);
  }
  return {std::move(ggO), std::move(gI), std::move(gW)};
}

// -------------------- [time, batch, channels]: weight is [kernel, in channels, out channels]

namespace {

void check_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias) {
  TORCH_CHECK(self.dim() == 3, "Input must have 3 dims: time, batch, in_channel, but has size ",
              self.sizes());
  TORCH_CHECK(weight.dim() == 3,
              "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels, but has size ",
              weight.sizes());
  TORCH_CHECK(bias.dim() == 1, "Bias must be 1-D, but has size ", bias.sizes());
  TORCH_CHECK(self.size(2) == weight.size(1),
              "Input dim 2 (input channels) is not == dim 1 in the weight tensor: ", self.sizes(), " and ",
              weight.sizes());
  TORCH_CHECK(weight.size(2) == bias.size(0),
              "Bias size must equal dim 2 in the weight tensor (output channels): ", bias.sizes(), " and ",
              weight.sizes());
}

}  // namespace

Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad) {
  check_tbc(self, weight, bias);
  const int64_t one[] = {1}, none[] = {0}, padding[] = {pad};
  return at::convolution(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, one, padding, one,
                         /*transposed=*/false, none, 1)
      .permute({2, 0, 1})
      .contiguous();
}

std::tuple<Tensor, Tensor, Tensor> conv_tbc_backward(const Tensor& self, const Tensor& input,
                                                     const Tensor& weight, const Tensor& bias, int64_t pad) {
  check_tbc(input, weight, bias);
  TORCH_CHECK(self.dim() == 3, "Expected a gradient of 3 dims: time, batch, out_channel, but got size ",
              self.sizes());
  const int64_t one[] = {1}, none[] = {0}, padding[] = {pad};
  auto [grad_input, grad_weight, grad_bias] =
      at::convolution_backward(self.permute({1, 2, 0}), input.permute({1, 2, 0}), weight.permute({2, 1, 0}),
                               bias.sizes(), one, padding, one,
                               /*transposed=*/false, none, 1, {true, true, true});
  return {grad_input.permute({2, 0, 1}).contiguous(), grad_weight.permute({2, 1, 0}).contiguous(),
          std::move(grad_bias)};
}

}  // namespace at::native
