// The plan of a pooling: checks that schemas/checks.yaml can't express, and the sizes of its result.
#include <ATen/native/Windows.h>
#include <ATen/native/pooling/plan.h>

#include <c10/util/Exception.h>

#include <limits>

namespace at::native {

namespace {

// The value of a list for spatial dimension d: it has one for all, or one for each.
int64_t value_at(IntArrayRef list, int64_t d) { return list.size() == 1 ? list[0] : list.at(d); }

// The sizes that all kinds of windows have in common.
Pooling plan_sizes(const char* name, int64_t dims, const TensorBase& input) {
  TORCH_INTERNAL_ASSERT(input.dim() == dims + 1 || input.dim() == dims + 2);
  Pooling pooling;
  pooling.dims = dims;
  const IntArrayRef sizes = input.sizes();
  const bool batched = input.dim() == dims + 2;
  for (int64_t d = batched ? 1 : 0; d < input.dim(); ++d) {
    TORCH_CHECK(sizes[d] > 0, name, "(): Expected input to have non-zero size for non-batch dimensions, but ",
                "input has sizes ", sizes, " with dimension ", d, " being empty");
  }
  pooling.batch = batched ? sizes[0] : 1;
  pooling.channels = sizes[batched ? 1 : 0];
  for (int64_t d = 0; d < dims; ++d) pooling.axes[3 - dims + d].input = sizes[input.dim() - dims + d];
  return pooling;
}

void check_axis(const char* name, const WindowAxis& axis) {
  TORCH_CHECK(axis.span() <= max_positions, name, "(): kernel size ", axis.kernel, " with dilation ",
              axis.dilation, " is too large");
  TORCH_CHECK(axis.padding <= axis.span() / 2, name,
              "(): pad should be at most half of effective kernel size, but got pad=", axis.padding,
              ", kernel_size=", axis.kernel, " and dilation=", axis.dilation);
}

// The windows of an axis, checked; at least one.
void place_windows(const char* name, const TensorBase& input, WindowAxis window, bool ceil_mode,
                   PoolAxis& axis) {
  check_axis(name, window);
  const WindowFit fit = fit_windows(axis.input, window, ceil_mode, &axis.output);
  TORCH_CHECK(fit != WindowFit::TooMany, name, "(): input of size ", input.sizes(), " with padding ",
              window.padding, " is too large");
  TORCH_CHECK(fit == WindowFit::Fits, name, "(): Output size is too small: a window of ",
              static_cast<int64_t>(window.span()), " does not fit into input of size ", input.sizes(),
              " with padding ", window.padding);
  window.clamp_steps();
  axis.kernel = window.kernel;
  axis.stride = window.stride;
  axis.padding = window.padding;
  axis.dilation = window.dilation;
}

}  // namespace

Pooling plan_pooling(const char* name, int64_t dims, const TensorBase& input, IntArrayRef kernel_size,
                     IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  Pooling pooling = plan_sizes(name, dims, input);
  for (int64_t d = 0; d < dims; ++d) {
    PoolAxis& axis = pooling.axes[3 - dims + d];
    const int64_t kernel = value_at(kernel_size, d);
    const WindowAxis window{kernel, stride.empty() ? kernel : value_at(stride, d), value_at(padding, d),
                            value_at(dilation, d)};
    place_windows(name, input, window, ceil_mode, axis);
  }
  return pooling;
}

Pooling plan_average(const char* name, int64_t dims, const TensorBase& input, IntArrayRef kernel_size,
                     IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                     std::optional<int64_t> divisor_override) {
  Pooling pooling = plan_pooling(name, dims, input, kernel_size, stride, padding, {1}, ceil_mode);
  __int128 volume = 1;
  // PyTorch checks it for volumes only.
  for (const PoolAxis& axis : pooling.axes) {
    volume *= axis.kernel;
    TORCH_CHECK(dims < 3 || axis.kernel <= axis.input, name, "(): input of size ", input.sizes(),
                " is smaller than kernel_size ", kernel_size, "; pad it before");
  }
  TORCH_CHECK(volume <= std::numeric_limits<int64_t>::max(), name, "(): a window of kernel_size ",
              kernel_size, " has too many elements to count");
  pooling.count_include_pad = count_include_pad;
  pooling.divisor = divisor_override.value_or(0);
  return pooling;
}

Pooling plan_adaptive(const char* name, int64_t dims, const TensorBase& input, IntArrayRef output_size) {
  Pooling pooling = plan_sizes(name, dims, input);
  for (int64_t d = 0; d < dims; ++d) {
    PoolAxis& axis = pooling.axes[3 - dims + d];
    axis.output = output_size.at(d);
    TORCH_INTERNAL_ASSERT(axis.output >= 0);
    axis.adaptive = axis.output == 0 || axis.input % axis.output != 0;
    if (!axis.adaptive) axis.kernel = axis.stride = axis.input / axis.output;
  }
  return pooling;
}

Pooling plan_fractional(const char* name, int64_t dims, const TensorBase& input, IntArrayRef kernel_size,
                        IntArrayRef output_size, const TensorBase& random_samples) {
  Pooling pooling = plan_sizes(name, dims, input);
  for (int64_t d = 0; d < dims; ++d) {
    PoolAxis& axis = pooling.axes[3 - dims + d];
    axis.kernel = kernel_size.at(d);
    axis.output = output_size.at(d);
    TORCH_INTERNAL_ASSERT(axis.kernel > 0 && axis.output > 0);
    TORCH_CHECK(axis.output <= axis.input && axis.kernel <= axis.input - axis.output + 1, name,
                "(): pooling window ", axis.kernel, " with output size ", axis.output,
                " is too large relative to input size ", axis.input);
  }
  if (!random_samples.defined()) return pooling;
  TORCH_CHECK(random_samples.scalar_type() == input.scalar_type(), name,
              "(): Expect _random_samples to have ", "the dtype of input, ", input.scalar_type(),
              ", but got ", random_samples.scalar_type());
  TORCH_CHECK(random_samples.dim() == 3 && random_samples.size(0) >= pooling.batch &&
                  random_samples.size(1) == pooling.channels && random_samples.size(2) == dims,
              name, "(): Expect _random_samples to be of shape [", pooling.batch, ", ", pooling.channels,
              ", ", dims, "] (batch, channels, dimensions), but got ", random_samples.sizes());
  return pooling;
}

Pooling plan_unpooling(const char* name, int64_t dims, const TensorBase& pooled, const TensorBase& indices,
                       IntArrayRef output_size) {
  TORCH_CHECK(indices.sizes() == pooled.sizes(), name,
              "(): Expected shape of indices to be same as that of the input tensor (", pooled.sizes(),
              ") but got indices tensor with shape: ", indices.sizes());
  Pooling pooling = plan_sizes(name, dims, pooled);
  for (int64_t d = 0; d < dims; ++d) {
    PoolAxis& axis = pooling.axes[3 - dims + d];
    axis.output = axis.input;
    axis.input = output_size.at(d);
    TORCH_INTERNAL_ASSERT(axis.input >= 0);
  }
  return pooling;
}

DimVector pooled_sizes(const Pooling& pooling, const TensorBase& input) {
  DimVector sizes(input.sizes().begin(), input.sizes().end() - pooling.dims);
  for (int64_t d = 3 - pooling.dims; d < 3; ++d) sizes.push_back(pooling.axes[d].output);
  return sizes;
}

void check_pooled(const char* name, const Pooling& pooling, const TensorBase& input,
                  const TensorBase& gradient, const TensorBase& indices) {
  const DimVector sizes = pooled_sizes(pooling, input);
  TORCH_CHECK(gradient.sizes() == IntArrayRef(sizes), name, "(): Expected a gradient of shape ",
              IntArrayRef(sizes), ", the result's, but got ", gradient.sizes());
  TORCH_CHECK(gradient.scalar_type() == input.scalar_type(), name, "(): expected dtype ", input.scalar_type(),
              " for `grad_output` but got dtype ", gradient.scalar_type());
  if (!indices.defined()) return;
  TORCH_CHECK(indices.sizes() == IntArrayRef(sizes), name, "(): Expected indices of shape ",
              IntArrayRef(sizes), ", the result's, but got ", indices.sizes());
}

}  // namespace at::native
