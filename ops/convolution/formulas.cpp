// Formulas of convolutions, which are linear in input and bias, and in weight.
#include <ATen/core/DimVector.h>
#include <ATen/native/convolution/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/sum.h>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor convolution_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                       const Tensor& weight_t, const Tensor& /*bias_p*/, const Tensor& bias_t,
                       SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation,
                       bool transposed, SymIntArrayRef output_padding, const SymInt& groups) {
  const auto convolve = [&](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
    return at::convolution_symint(input, weight, bias, stride, padding, dilation, transposed, output_padding,
                                  groups);
  };
  const std::optional<Tensor> bias = bias_t.defined() ? std::optional<Tensor>(bias_t) : std::nullopt;
  return at::add(convolve(input_t, weight_p, bias), convolve(input_p, weight_t, std::nullopt));
}

Tensor convolution_backward_jvp_grad_bias(const Tensor& grad_output_t, const Tensor& grad_bias) {
  if (!grad_bias.defined()) return Tensor();
  at::DimVector dims = {0};
  for (int64_t d = 2; d < grad_output_t.dim(); ++d) dims.push_back(d);
  return grad_output_t.sum(dims);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
