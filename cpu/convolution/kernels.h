// Specialised convolution kernels, implemented in cpu/*/simd.
#pragma once

#include <ATen/native/cpu/convolution/convolution.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

// They return false, without having done anything, where matrix products are faster.

// Bfloat16, where the processor multiplies pairs of them.
bool conv_gather_by_pairs(const ConvLayout& layout, const void* input, const void* weight, const void* bias,
                          void* output);
// The same of images with channels last.
bool conv_gather_rows_by_pairs(const ConvLayout& layout, const void* input, const void* weight,
                               const void* bias, void* output);
bool conv_weight_by_pairs(const ConvLayout& layout, const void* input, const void* grad_output,
                          void* grad_weight);

// 3 x 3 windows of many channels.
bool conv_gather_by_winograd(c10::ScalarType type, const ConvLayout& layout, const void* input,
                             const void* weight, const void* bias, void* output);

// One channel in each group, images with channels last.
bool conv_gather_channels_last(c10::ScalarType type, const ConvLayout& layout, const void* input,
                               const void* weight, const void* bias, void* output);

// Images with channels last.
bool conv_gather_by_positions(c10::ScalarType type, const ConvLayout& layout, const void* input,
                              const void* weight, const void* bias, void* output);

// 1 x 1 windows, contiguous images, and few output channels.
bool conv_gather_narrow(c10::ScalarType type, const ConvLayout& layout, const void* input, const void* weight,
                        const void* bias, void* output);
bool conv_weight_narrow(c10::ScalarType type, const ConvLayout& layout, const void* input,
                        const void* grad_output, void* grad_weight);

// Few channels in each group.
bool conv_gather_directly(c10::ScalarType type, const ConvLayout& layout, const void* input,
                          const void* weight, const void* bias, void* output);
bool conv_weight_directly(c10::ScalarType type, const ConvLayout& layout, const void* input,
                          const void* grad_output, void* grad_weight);

}  // namespace CPU_CAPABILITY
}  // namespace at::native
