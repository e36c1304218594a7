// Adaptive average and max pooling.
#include <ATen/native/pooling/drivers.h>
#include <c10/core/SymIntArrayRef.h>

#include <ATen/ops/_adaptive_avg_pool2d.h>
#include <ATen/ops/_adaptive_avg_pool2d_backward_native.h>
#include <ATen/ops/_adaptive_avg_pool2d_native.h>
#include <ATen/ops/_adaptive_avg_pool3d.h>
#include <ATen/ops/_adaptive_avg_pool3d_backward_native.h>
#include <ATen/ops/_adaptive_avg_pool3d_native.h>
#include <ATen/ops/adaptive_avg_pool1d_native.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool2d_native.h>
#include <ATen/ops/adaptive_avg_pool3d_backward_native.h>
#include <ATen/ops/adaptive_avg_pool3d_native.h>
#include <ATen/ops/adaptive_max_pool1d_native.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/adaptive_max_pool2d_backward_native.h>
#include <ATen/ops/adaptive_max_pool2d_native.h>
#include <ATen/ops/adaptive_max_pool3d_backward_native.h>
#include <ATen/ops/adaptive_max_pool3d_native.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <tuple>

namespace at::native {

// -------------------- Averages

namespace {

Tensor& adaptive_average_out(const char* name, int64_t dims, const Tensor& input, IntArrayRef output_size,
                             Tensor& out) {
  const Pooling pooling = plan_adaptive(name, dims, input, output_size);
  const MemoryFormat format = pool_format(input, dims);
  prepare_output(name, out, pooled_sizes(pooling, input), input.options(), format);
  average(pooling, input, format, out);
  return out;
}

Tensor adaptive_average(const char* name, int64_t dims, const Tensor& input, IntArrayRef output_size) {
  const Pooling pooling = plan_adaptive(name, dims, input, output_size);
  const MemoryFormat format = pool_format(input, dims);
  Tensor out = at::empty(pooled_sizes(pooling, input), input.options(), format);
  average(pooling, input, format, out);
  return out;
}

// The forward pass's output_size is the size of grad_output's last dimensions.
Pooling plan_adaptive_backward(const char* name, int64_t dims, const Tensor& grad_output,
                               const Tensor& input) {
  TORCH_CHECK(grad_output.dim() == input.dim() && grad_output.dim() > dims, name, "(): Expected grad_output ",
              "to have as many dimensions as input, ", input.dim(), ", but got ", grad_output.dim());
  const Pooling pooling =
      plan_adaptive(name, dims, input, grad_output.sizes().slice(grad_output.dim() - dims));
  check_pooled(name, pooling, input, grad_output, {});
  return pooling;
}

Tensor& adaptive_average_backward_out(const char* name, int64_t dims, const Tensor& grad_output,
                                      const Tensor& input, Tensor& grad_input) {
  const Pooling pooling = plan_adaptive_backward(name, dims, grad_output, input);
  const MemoryFormat format = pool_format(input, dims);
  prepare_output(name, grad_input, input.sizes(), input.options(), format);
  average_backward(pooling, grad_output, format, grad_input);
  return grad_input;
}

Tensor adaptive_average_backward(const char* name, int64_t dims, const Tensor& grad_output,
                                 const Tensor& input) {
  const Pooling pooling = plan_adaptive_backward(name, dims, grad_output, input);
  const MemoryFormat format = pool_format(input, dims);
  Tensor grad_input = at::empty(input.sizes(), input.options(), format);
  average_backward(pooling, grad_output, format, grad_input);
  return grad_input;
}

bool is_global(IntArrayRef output_size) {
  return std::all_of(output_size.begin(), output_size.end(), [](int64_t size) { return size == 1; });
}

// The mean of each plane; channels last like the input, which a single element does not show by itself.
Tensor plane_means(const Tensor& input, IntArrayRef dims, MemoryFormat channels_last) {
  Tensor means = input.mean(dims, /*keepdim=*/true);
  if (input.suggest_memory_format() != channels_last) return means;
  const int64_t channels = input.size(1);
  DimVector strides(input.dim(), channels);
  strides[1] = 1;
  return means.as_strided(means.sizes(), strides);
}

}  // namespace

Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_average("adaptive_avg_pool2d", 2, self, output_size);
}

Tensor& adaptive_avg_pool2d_out(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return adaptive_average_out("adaptive_avg_pool2d", 2, self, output_size, out);
}

Tensor adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self) {
  return adaptive_average_backward("adaptive_avg_pool2d_backward", 2, grad_output, self);
}

Tensor adaptive_avg_pool2d_symint(const Tensor& self, c10::SymIntArrayRef output_size) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(output_size);
  plan_adaptive("adaptive_avg_pool2d", 2, self, sizes);
  if (is_global(sizes)) return plane_means(self, {-1, -2}, MemoryFormat::ChannelsLast);
  return at::_adaptive_avg_pool2d(self, sizes);
}

Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size) {
  plan_adaptive("adaptive_avg_pool1d", 1, self, output_size);
  return at::adaptive_avg_pool2d(self.unsqueeze(-2), {1, output_size[0]}).squeeze(-2);
}

Tensor adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_average("adaptive_avg_pool3d", 3, self, output_size);
}

Tensor& adaptive_avg_pool3d_out(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return adaptive_average_out("adaptive_avg_pool3d", 3, self, output_size, out);
}

Tensor adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self) {
  return adaptive_average_backward("adaptive_avg_pool3d_backward", 3, grad_output, self);
}

Tensor& adaptive_avg_pool3d_backward_out(const Tensor& grad_output, const Tensor& self, Tensor& grad_input) {
  return adaptive_average_backward_out("adaptive_avg_pool3d_backward", 3, grad_output, self, grad_input);
}

Tensor adaptive_avg_pool3d_symint(const Tensor& self, c10::SymIntArrayRef output_size) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(output_size);
  plan_adaptive("adaptive_avg_pool3d", 3, self, sizes);
  if (is_global(sizes)) return plane_means(self, {-1, -2, -3}, MemoryFormat::ChannelsLast3d);
  return at::_adaptive_avg_pool3d(self, sizes);
}

// -------------------- Maxima

TORCH_IMPL_FUNC(adaptive_max_pool2d_out)
(const Tensor& input, IntArrayRef output_size, const Tensor& output, const Tensor& indices) {
  maximum(plan_adaptive("adaptive_max_pool2d", 2, input, output_size), input, pool_format(input, 2), output,
          indices);
}

TORCH_IMPL_FUNC(adaptive_max_pool2d_backward_out)
(const Tensor& grad_output, const Tensor& input, const Tensor& indices, const Tensor& grad_input) {
  const Pooling pooling = plan_adaptive_backward("adaptive_max_pool2d_backward", 2, grad_output, input);
  maximum_backward(pooling, grad_output, indices, pool_format(input, 2), grad_input);
}

std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArrayRef output_size) {
  plan_adaptive("adaptive_max_pool1d", 1, self, output_size);
  const auto [output, indices] = at::adaptive_max_pool2d(self.unsqueeze(-2), {1, output_size[0]});
  return {output.squeeze(-2), indices.squeeze(-2)};
}

TORCH_IMPL_FUNC(adaptive_max_pool3d_out)
(const Tensor& input, IntArrayRef output_size, const Tensor& output, const Tensor& indices) {
  maximum(plan_adaptive("adaptive_max_pool3d", 3, input, output_size), input, MemoryFormat::Contiguous,
          output, indices);
}

TORCH_IMPL_FUNC(adaptive_max_pool3d_backward_out)
(const Tensor& grad_output, const Tensor& input, const Tensor& indices, const Tensor& grad_input) {
  const Pooling pooling = plan_adaptive_backward("adaptive_max_pool3d_backward", 3, grad_output, input);
  maximum_backward(pooling, grad_output, indices, MemoryFormat::Contiguous, grad_input);
}

}  // namespace at::native
