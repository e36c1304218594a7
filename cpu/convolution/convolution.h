// Convolutions on raw memory.
// Forward passes, gradients of inputs and transposed convolutions are all gathers: an output position is the
// sum over a window of the input, times weights. They differ in strides and in where windows begin. The
// gradient of a strided convolution is several gathers, one per residue of the position modulo the stride.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// Output q reads the inputs q * step + start + t * tap_step for t in [0, taps); those outside are zeros.
struct ConvAxis {
  int64_t outputs = 1, inputs = 1, taps = 1;
  int64_t step = 1, start = 0, tap_step = 1;  // step is positive
  int64_t output_stride = 0, input_stride = 0, tap_stride = 0;
};

// Strides are in elements; channels are those of one group.
struct ConvLayout {
  int64_t batch, groups, in_channels, out_channels;
  ConvAxis axes[3];
  int64_t input_batch_stride, input_channel_stride;
  int64_t output_batch_stride, output_channel_stride;
  int64_t weight_group_stride, weight_out_stride, weight_in_stride;

  int64_t taps() const { return axes[0].taps * axes[1].taps * axes[2].taps; }
  int64_t positions() const { return axes[0].outputs * axes[1].outputs * axes[2].outputs; }
};

// Of Float, Double, Long, Half or BFloat16. `bias` may be null.
using conv_gather_fn = void (*)(c10::ScalarType, const ConvLayout&, const void* input, const void* weight,
                                const void* bias, void* output);
DECLARE_DISPATCH(conv_gather_fn, conv_gather_stub)

// The gradient of the weight of the gather that the layout describes.
using conv_weight_fn = void (*)(c10::ScalarType, const ConvLayout&, const void* input,
                                const void* grad_output, void* grad_weight);
DECLARE_DISPATCH(conv_weight_fn, conv_weight_stub)

}  // namespace at::native
