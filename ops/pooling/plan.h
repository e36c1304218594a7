// Pooling in one, two and three dimensions: one plan of windows, shared by meta functions and the kernels of
// all devices. Fewer dimensions are three with leading ones of size 1.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>
#include <optional>

namespace at::native {

/// The windows along one dimension. Window `o` holds begin(o), begin(o) + dilation, ... below end(o).
struct PoolAxis {
  int64_t input = 1, output = 1;
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1;
  bool adaptive = false;  // windows of about input / output elements, instead of those

  C10_HOST_DEVICE int64_t begin(int64_t o) const {
    if (adaptive) return o * input / output;
    const int64_t start = o * stride - padding;
    return start >= 0 ? start : start + (-start + dilation - 1) / dilation * dilation;
  }
  C10_HOST_DEVICE int64_t end(int64_t o) const {
    if (adaptive) return ((o + 1) * input - 1) / output + 1;
    const int64_t stop = o * stride - padding + extent();
    return stop < input ? stop : input;
  }
  /// The elements of window `o`, including padding if that is counted. For windows without dilation.
  C10_HOST_DEVICE int64_t count(int64_t o, bool include_padding) const {
    if (adaptive || !include_padding) return end(o) - begin(o);
    const int64_t start = o * stride - padding, last = input + padding;
    return (start + kernel < last ? start + kernel : last) - start;
  }

  /// From the first element of a window to one past its last.
  C10_HOST_DEVICE int64_t extent() const { return (kernel - 1) * dilation + 1; }

  /// The windows [first_over(i), last_over(i)) cover element i.
  C10_HOST_DEVICE int64_t first_over(int64_t i) const {
    if (adaptive) return i * output / input;
    return i + padding < extent() ? 0 : (i + padding - extent()) / stride + 1;
  }
  C10_HOST_DEVICE int64_t last_over(int64_t i) const {
    if (adaptive) return ((i + 1) * output - 1) / input + 1;
    const int64_t last = (i + padding) / stride + 1;
    return last < output ? last : output;
  }
};

struct Pooling {
  int64_t batch = 1, channels = 1;
  PoolAxis axes[3];  // depth, height, width
  int64_t dims = 3;  // how many of the axes the tensors have, from the last one
  bool channels_last = false;
  // For averages: the divisor of a window's sum; 0 stands for the window's element count.
  bool count_include_pad = true;
  int64_t divisor = 0;

  C10_HOST_DEVICE int64_t planes() const { return batch * channels; }
  /// Elements of one plane.
  C10_HOST_DEVICE int64_t input_size() const { return axes[0].input * axes[1].input * axes[2].input; }
  C10_HOST_DEVICE int64_t output_size() const { return axes[0].output * axes[1].output * axes[2].output; }
};

/// Fixed windows over the last `dims` dimensions of `input`. Each list has one value, or one per dimension;
/// an empty stride is the kernel's size. Errors begin with `name`.
TORCH_API Pooling plan_pooling(const char* name, int64_t dims, const TensorBase& input,
                               IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               IntArrayRef dilation, bool ceil_mode);

/// The same for averages, which have no dilation.
TORCH_API Pooling plan_average(const char* name, int64_t dims, const TensorBase& input,
                               IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad,
                               std::optional<int64_t> divisor_override);

/// Adaptive windows, which give `output_size` for any input.
TORCH_API Pooling plan_adaptive(const char* name, int64_t dims, const TensorBase& input,
                                IntArrayRef output_size);

/// Fractional pooling: windows of the kernel's size at random positions. `random_samples`, [batch, channels,
/// dims], may be undefined.
TORCH_API Pooling plan_fractional(const char* name, int64_t dims, const TensorBase& input,
                                  IntArrayRef kernel_size, IntArrayRef output_size,
                                  const TensorBase& random_samples);

/// The pooling that made `pooled`, with its indices, from planes of `output_size`.
TORCH_API Pooling plan_unpooling(const char* name, int64_t dims, const TensorBase& pooled,
                                 const TensorBase& indices, IntArrayRef output_size);

/// The shape of the result: input's leading dimensions, then the outputs of its axes.
TORCH_API DimVector pooled_sizes(const Pooling& pooling, const TensorBase& input);

/// Throws unless `gradient` (and `indices`, if defined) are of the shape of the plan's result, gradient of
/// input's dtype, and indices Long.
TORCH_API void check_pooled(const char* name, const Pooling& pooling, const TensorBase& input,
                            const TensorBase& gradient, const TensorBase& indices);

// All tensors are dense: contiguous planes, or channels last. `indices` are Long positions in an input plane.

using avg_pool_fn = void (*)(const Pooling& pooling, const TensorBase& input, const TensorBase& output);
DECLARE_DISPATCH(avg_pool_fn, avg_pool_stub)

using avg_pool_backward_fn = void (*)(const Pooling& pooling, const TensorBase& grad_output,
                                      const TensorBase& grad_input);
DECLARE_DISPATCH(avg_pool_backward_fn, avg_pool_backward_stub)

// NaN is larger than anything. Of equal elements the first one of a window is taken, of NaNs the last.
using max_pool_fn = void (*)(const Pooling& pooling, const TensorBase& input, const TensorBase& output,
                             const TensorBase& indices);
DECLARE_DISPATCH(max_pool_fn, max_pool_stub)

// Each element of grad_input is the sum of those of grad_output whose indices name it.
using max_pool_backward_fn = void (*)(const Pooling& pooling, const TensorBase& grad_output,
                                      const TensorBase& indices, const TensorBase& grad_input);
DECLARE_DISPATCH(max_pool_backward_fn, max_pool_backward_stub)

// The same for windows at any position.
DECLARE_DISPATCH(max_pool_backward_fn, fractional_max_pool_backward_stub)

// Windows of the kernel's size, positioned by one random sample per plane and dimension.
using fractional_max_pool_fn = void (*)(const Pooling& pooling, const TensorBase& input,
                                        const TensorBase& random_samples, const TensorBase& output,
                                        const TensorBase& indices);
DECLARE_DISPATCH(fractional_max_pool_fn, fractional_max_pool_stub)

// Writes the elements of `pooled` to the positions of their indices in `output`, and zeros elsewhere. The
// plan is that of the pooling to invert.
using max_unpool_fn = void (*)(const Pooling& pooling, const TensorBase& pooled, const TensorBase& indices,
                               const TensorBase& output);
DECLARE_DISPATCH(max_unpool_fn, max_unpool_stub)

/// The beginning of window `o` of a fractional pooling, along one axis.
template <class T>
C10_HOST_DEVICE int64_t fractional_begin(const PoolAxis& axis, T sample, int64_t o) {
  if (o == axis.output - 1) return axis.input - axis.kernel;
  const int64_t last = axis.input - axis.kernel;
  const T alpha = static_cast<T>(last) / static_cast<T>(axis.output - 1);
  const auto begin = static_cast<uint64_t>(static_cast<int64_t>((static_cast<T>(o) + sample) * alpha)) -
                     static_cast<uint64_t>(static_cast<int64_t>(sample * alpha));
  // Rounding and samples outside of [0, 1] must not lead out of the input.
  const auto place = static_cast<int64_t>(begin);
  return place < 0 ? 0 : place > last ? last : place;
}

}  // namespace at::native
