// The range that the bins of a histogram cover.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

struct BinRange {
  double low, high;
};

/// The least and the greatest element. An error, which names the operator, unless both are finite.
TORCH_API BinRange range_of_elements(const char* name, const Tensor& self);
TORCH_API void check_finite(const char* name, const BinRange& range);

}  // namespace at::native
