// Average and max pooling with fixed windows.
#include <ATen/native/pooling/drivers.h>

#include <ATen/ops/avg_pool1d_native.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool2d_backward_native.h>
#include <ATen/ops/avg_pool2d_native.h>
#include <ATen/ops/avg_pool3d_backward_native.h>
#include <ATen/ops/avg_pool3d_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool1d_native.h>
#include <ATen/ops/max_pool1d_with_indices.h>
#include <ATen/ops/max_pool1d_with_indices_native.h>
#include <ATen/ops/max_pool2d_backward_native.h>
#include <ATen/ops/max_pool2d_native.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>
#include <ATen/ops/max_pool2d_with_indices_backward_native.h>
#include <ATen/ops/max_pool2d_with_indices_native.h>
#include <ATen/ops/max_pool3d_native.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/max_pool3d_with_indices_backward_native.h>
#include <ATen/ops/max_pool3d_with_indices_native.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/unsqueeze.h>

#include <array>
#include <tuple>

namespace at::native {

// -------------------- Averages

TORCH_IMPL_FUNC(avg_pool2d_out)
(const Tensor& input, int64_t kH, int64_t kW, int64_t dH, int64_t dW, int64_t padH, int64_t padW,
 bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override, const Tensor& output) {
  const Pooling pooling = plan_average("avg_pool2d", 2, input, {kH, kW}, {dH, dW}, {padH, padW}, ceil_mode,
                                       count_include_pad, divisor_override);
  average(pooling, input, pool_format(input, 2), output);
}

TORCH_IMPL_FUNC(avg_pool2d_backward_out)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
 const Tensor& grad_input) {
  const Pooling pooling = plan_average("avg_pool2d_backward", 2, input, kernel_size, stride, padding,
                                       ceil_mode, count_include_pad, divisor_override);
  average_backward(pooling, grad_output, pool_format(input, 2), grad_input);
}

TORCH_IMPL_FUNC(avg_pool3d_out)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
 bool count_include_pad, std::optional<int64_t> divisor_override, const Tensor& output) {
  const Pooling pooling = plan_average("avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode,
                                       count_include_pad, divisor_override);
  average(pooling, input, MemoryFormat::Contiguous, output);
}

TORCH_IMPL_FUNC(avg_pool3d_backward_out)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
 const Tensor& grad_input) {
  const Pooling pooling = plan_average("avg_pool3d_backward", 3, input, kernel_size, stride, padding,
                                       ceil_mode, count_include_pad, divisor_override);
  average_backward(pooling, grad_output, MemoryFormat::Contiguous, grad_input);
}

namespace {

// One dimension is treated as two, with a height of 1.
std::array<int64_t, 2> behind(int64_t first, IntArrayRef list) { return {first, list[0]}; }

}  // namespace

Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  bool ceil_mode, bool count_include_pad) {
  plan_average("avg_pool1d", 1, self, kernel_size, stride, padding, ceil_mode, count_include_pad, {});
  return at::avg_pool2d(self.unsqueeze(-2), behind(1, kernel_size),
                        behind(1, stride.empty() ? kernel_size : stride), behind(0, padding), ceil_mode,
                        count_include_pad)
      .squeeze(-2);
}

// -------------------- Maxima of two dimensions, and of one

TORCH_IMPL_FUNC(max_pool2d_with_indices_out)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
 bool ceil_mode, const Tensor& output, const Tensor& indices) {
  const Pooling pooling =
      plan_pooling("max_pool2d_with_indices", 2, input, kernel_size, stride, padding, dilation, ceil_mode);
  maximum(pooling, input, pool_format(input, 2), output, indices);
}

TORCH_IMPL_FUNC(max_pool2d_with_indices_backward_out)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices, const Tensor& grad_input) {
  const Pooling pooling = plan_pooling("max_pool2d_with_indices_backward", 2, input, kernel_size, stride,
                                       padding, dilation, ceil_mode);
  maximum_backward(pooling, grad_output, indices, pool_format(input, 2), grad_input);
}

Tensor max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(at::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

// The forward pass has saved no indices.
Tensor max_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                           IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  const Tensor indices =
      std::get<1>(at::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
  return at::max_pool2d_with_indices_backward(grad_output, self, kernel_size, stride, padding, dilation,
                                              ceil_mode, indices);
}

std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  plan_pooling("max_pool1d_with_indices", 1, self, kernel_size, stride, padding, dilation, ceil_mode);
  const auto [output, indices] = at::max_pool2d_with_indices(
      self.unsqueeze(-2), behind(1, kernel_size), behind(1, stride.empty() ? kernel_size : stride),
      behind(0, padding), behind(1, dilation), ceil_mode);
  return {output.squeeze(-2), indices.squeeze(-2)};
}

Tensor max_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(at::max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

// -------------------- Maxima of three dimensions

namespace {

// Channels last if the input is, with a batch or without.
MemoryFormat volume_format(const Tensor& input) { return with_batch(input, 3).suggest_memory_format(); }

Tensor empty_volume(IntArrayRef sizes, const TensorOptions& options, MemoryFormat format) {
  if (sizes.size() == 5) return at::empty(sizes, options, format);
  DimVector batched{1};
  batched.append(sizes.begin(), sizes.end());
  return at::empty(batched, options, format).squeeze(0);
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  const Pooling pooling =
      plan_pooling("max_pool3d_with_indices", 3, input, kernel_size, stride, padding, dilation, ceil_mode);
  const MemoryFormat format = volume_format(input);
  const DimVector sizes = pooled_sizes(pooling, input);
  Tensor output = empty_volume(sizes, input.options(), format);
  Tensor indices = empty_volume(sizes, input.options().dtype(kLong), format);
  maximum(pooling, input, format, output, indices);
  return {std::move(output), std::move(indices)};
}

std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(const Tensor& input, IntArrayRef kernel_size,
                                                         IntArrayRef stride, IntArrayRef padding,
                                                         IntArrayRef dilation, bool ceil_mode, Tensor& output,
                                                         Tensor& indices) {
  const Pooling pooling =
      plan_pooling("max_pool3d_with_indices", 3, input, kernel_size, stride, padding, dilation, ceil_mode);
  const MemoryFormat format = volume_format(input);
  const MemoryFormat resized = input.dim() == 5 ? format : MemoryFormat::Contiguous;
  const DimVector sizes = pooled_sizes(pooling, input);
  prepare_output("max_pool3d_with_indices", output, sizes, input.options(), resized);
  prepare_output("max_pool3d_with_indices", indices, sizes, input.options().dtype(kLong), resized);
  maximum(pooling, input, format, output, indices);
  return {output, indices};
}

Tensor& max_pool3d_with_indices_backward_out(const Tensor& grad_output, const Tensor& input,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices,
                                             Tensor& grad_input) {
  constexpr const char* name = "max_pool3d_with_indices_backward";
  const Pooling pooling = plan_pooling(name, 3, input, kernel_size, stride, padding, dilation, ceil_mode);
  check_pooled(name, pooling, input, grad_output, indices);
  const MemoryFormat format = input.dim() == 5 ? volume_format(input) : MemoryFormat::Contiguous;
  prepare_output(name, grad_input, input.sizes(), input.options(), format);
  maximum_backward(pooling, grad_output, indices, format, grad_input);
  return grad_input;
}

Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& input,
                                        IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                        IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  const MemoryFormat format = input.dim() == 5 ? volume_format(input) : MemoryFormat::Contiguous;
  Tensor grad_input = at::empty(input.sizes(), input.options(), format);
  return max_pool3d_with_indices_backward_out(grad_output, input, kernel_size, stride, padding, dilation,
                                              ceil_mode, indices, grad_input);
}

Tensor max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(at::max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

}  // namespace at::native
