// The arguments of rms_norm, shared by all its kernels.
#pragma once

#include <ATen/OpMathType.h>
#include <ATen/native/normalization/layer_norm.h>

#include <limits>
#include <optional>

namespace at::native {

inline void check_rms_norm(const TensorBase& input, IntArrayRef normalized_shape, const TensorBase& weight) {
  check_layer_norm_shape(input, normalized_shape, weight, {});
  TORCH_CHECK_NOT_IMPLEMENTED(input.is_floating_point() || input.is_complex(),
                              "\"rms_norm\" not implemented for '", input.scalar_type(), "'");
}

/// The epsilon added to mean squares: by default that of the compute type.
inline double rms_norm_eps(const TensorBase& input, std::optional<double> eps) {
  const bool is_double = c10::toRealValueType(toOpMathType(input.scalar_type())) == kDouble;
  return eps.value_or(is_double ? std::numeric_limits<double>::epsilon()
                                : std::numeric_limits<float>::epsilon());
}

}  // namespace at::native
