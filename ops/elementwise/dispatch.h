// Switches on the common dtype of an iteration, `iter`, in the kernels of elementwise operators.
#pragma once

#include <ATen/Dispatch_v2.h>

#define AT_DISPATCH_FLOATING(NAME, ...)                                                                \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_FLOATING_TYPES), kHalf, \
                 kBFloat16)

#define AT_DISPATCH_REAL(NAME, ...) \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16)
