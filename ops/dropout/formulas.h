// Derivatives of dropout.
#pragma once

#include <ATen/native/formulas.h>

#include <optional>

namespace torch::inline C10_ABI::autograd::generated::details {

/// The factor of kept elements in dropout; train is true by default.
inline double dropout_scale(double p, std::optional<bool> train) {
  if (!train.value_or(true)) return 1.0;
  return p == 1.0 ? 0.0 : 1.0 / (1.0 - p);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
