// Meta functions of pooling.
#include <ATen/core/Tensor.h>
#include <ATen/native/pooling/plan.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/adaptive_max_pool2d_backward_meta.h>
#include <ATen/ops/adaptive_max_pool2d_meta.h>
#include <ATen/ops/adaptive_max_pool3d_backward_meta.h>
#include <ATen/ops/adaptive_max_pool3d_meta.h>
#include <ATen/ops/avg_pool2d_backward_meta.h>
#include <ATen/ops/avg_pool2d_meta.h>
#include <ATen/ops/avg_pool3d_backward_meta.h>
#include <ATen/ops/avg_pool3d_meta.h>
#include <ATen/ops/fractional_max_pool2d_backward_meta.h>
#include <ATen/ops/fractional_max_pool2d_meta.h>
#include <ATen/ops/fractional_max_pool3d_meta.h>
#include <ATen/ops/max_pool2d_with_indices_backward_meta.h>
#include <ATen/ops/max_pool2d_with_indices_meta.h>

#include <optional>

namespace at::meta {

namespace {

using native::Pooling;

// The input's options; batched images keep the input's memory format.
TensorOptions options_of(const Pooling& pooling, const Tensor& input) {
  const bool images = pooling.dims == 2 && input.dim() == 4;
  return input.options().memory_format(images ? input.suggest_memory_format() : MemoryFormat::Contiguous);
}

void set_maxima(impl::MetaBase& meta, const Pooling& pooling, const Tensor& input) {
  const DimVector sizes = native::pooled_sizes(pooling, input);
  const TensorOptions options = options_of(pooling, input);
  meta.set_output_raw_strided(0, sizes, {}, options);
  meta.set_output_raw_strided(1, sizes, {}, options.dtype(kLong));
}

void set_gradient(impl::MetaBase& meta, const char* name, const Pooling& pooling, const Tensor& input,
                  const Tensor& grad_output, const TensorBase& indices) {
  native::check_pooled(name, pooling, input, grad_output, indices);
  meta.set_output_raw_strided(0, input.sizes(), {}, options_of(pooling, input));
}

// The forward pass's arguments are reflected in its result's shape.
Pooling plan_adaptive_backward(const char* name, int64_t dims, const Tensor& grad_output,
                               const Tensor& input) {
  TORCH_CHECK(grad_output.dim() == input.dim() && grad_output.dim() > dims, name, "(): Expected grad_output ",
              "to have as many dimensions as input, ", input.dim(), ", but got ", grad_output.dim());
  return native::plan_adaptive(name, dims, input, grad_output.sizes().slice(grad_output.dim() - dims));
}

}  // namespace

// -------------------- Averages

TORCH_PRECOMPUTE_META_FUNC(avg_pool2d)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
 bool count_include_pad, std::optional<int64_t> divisor_override) {
  const Pooling pooling = native::plan_average("avg_pool2d", 2, input, kernel_size, stride, padding,
                                               ceil_mode, count_include_pad, divisor_override);
  set_output_raw_strided(0, native::pooled_sizes(pooling, input), {}, options_of(pooling, input));
  const auto &height = pooling.axes[1], &width = pooling.axes[2];
  return TORCH_PRECOMPUTE_STRUCT(avg_pool2d)()
      .set_kH(height.kernel)
      .set_kW(width.kernel)
      .set_dH(height.stride)
      .set_dW(width.stride)
      .set_padH(height.padding)
      .set_padW(width.padding);
}

TORCH_META_FUNC(avg_pool2d_backward)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override) {
  constexpr const char* name = "avg_pool2d_backward";
  const Pooling pooling = native::plan_average(name, 2, input, kernel_size, stride, padding, ceil_mode,
                                               count_include_pad, divisor_override);
  set_gradient(*this, name, pooling, input, grad_output, {});
}

TORCH_META_FUNC(avg_pool3d)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
 bool count_include_pad, std::optional<int64_t> divisor_override) {
  const Pooling pooling = native::plan_average("avg_pool3d", 3, input, kernel_size, stride, padding,
                                               ceil_mode, count_include_pad, divisor_override);
  set_output_raw_strided(0, native::pooled_sizes(pooling, input), {}, options_of(pooling, input));
}

TORCH_META_FUNC(avg_pool3d_backward)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override) {
  constexpr const char* name = "avg_pool3d_backward";
  const Pooling pooling = native::plan_average(name, 3, input, kernel_size, stride, padding, ceil_mode,
                                               count_include_pad, divisor_override);
  set_gradient(*this, name, pooling, input, grad_output, {});
}

// -------------------- Maxima

TORCH_META_FUNC(max_pool2d_with_indices)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
 bool ceil_mode) {
  set_maxima(*this,
             native::plan_pooling("max_pool2d_with_indices", 2, input, kernel_size, stride, padding, dilation,
                                  ceil_mode),
             input);
}

TORCH_META_FUNC(max_pool2d_with_indices_backward)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
 IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  constexpr const char* name = "max_pool2d_with_indices_backward";
  const Pooling pooling =
      native::plan_pooling(name, 2, input, kernel_size, stride, padding, dilation, ceil_mode);
  set_gradient(*this, name, pooling, input, grad_output, indices);
}

TORCH_META_FUNC(adaptive_max_pool2d)(const Tensor& input, IntArrayRef output_size) {
  set_maxima(*this, native::plan_adaptive("adaptive_max_pool2d", 2, input, output_size), input);
}

TORCH_META_FUNC(adaptive_max_pool2d_backward)
(const Tensor& grad_output, const Tensor& input, const Tensor& indices) {
  constexpr const char* name = "adaptive_max_pool2d_backward";
  set_gradient(*this, name, plan_adaptive_backward(name, 2, grad_output, input), input, grad_output, indices);
}

TORCH_META_FUNC(adaptive_max_pool3d)(const Tensor& input, IntArrayRef output_size) {
  set_maxima(*this, native::plan_adaptive("adaptive_max_pool3d", 3, input, output_size), input);
}

TORCH_META_FUNC(adaptive_max_pool3d_backward)
(const Tensor& grad_output, const Tensor& input, const Tensor& indices) {
  constexpr const char* name = "adaptive_max_pool3d_backward";
  set_gradient(*this, name, plan_adaptive_backward(name, 3, grad_output, input), input, grad_output, indices);
}

// -------------------- Windows at random positions: never channels last

TORCH_META_FUNC(fractional_max_pool2d)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& random_samples) {
  const Pooling pooling =
      native::plan_fractional("fractional_max_pool2d", 2, input, kernel_size, output_size, random_samples);
  const DimVector sizes = native::pooled_sizes(pooling, input);
  set_output_raw_strided(0, sizes, {}, input.options());
  set_output_raw_strided(1, sizes, {}, input.options().dtype(kLong));
}

TORCH_META_FUNC(fractional_max_pool2d_backward)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
 const Tensor& indices) {
  constexpr const char* name = "fractional_max_pool2d_backward";
  const Pooling pooling = native::plan_fractional(name, 2, input, kernel_size, output_size, {});
  native::check_pooled(name, pooling, input, grad_output, indices);
  set_output_raw_strided(0, input.sizes(), {}, input.options());
}

TORCH_PRECOMPUTE_META_FUNC(fractional_max_pool3d)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& random_samples) {
  const Pooling pooling =
      native::plan_fractional("fractional_max_pool3d", 3, input, kernel_size, output_size, random_samples);
  const DimVector sizes = native::pooled_sizes(pooling, input);
  set_output_raw_strided(0, sizes, {}, input.options());
  set_output_raw_strided(1, sizes, {}, input.options().dtype(kLong));
  const auto &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
  return TORCH_PRECOMPUTE_STRUCT(fractional_max_pool3d)()
      .set_poolSizeT(depth.kernel)
      .set_poolSizeH(height.kernel)
      .set_poolSizeW(width.kernel)
      .set_outputT(depth.output)
      .set_outputH(height.output)
      .set_outputW(width.output)
      .set_numBatch(pooling.batch)
      .set_numPlanes(pooling.channels)
      .set_inputT(depth.input)
      .set_inputH(height.input)
      .set_inputW(width.input);
}

}  // namespace at::meta
