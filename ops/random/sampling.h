// What the kernels of all devices ask of the parameters of distributions, and the limits of their samples.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <limits>

namespace at::native {

inline void check_parameter(const TensorBase& parameter, const char* name) {
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(parameter.scalar_type()), name, " is not implemented for dtype ",
                              parameter.scalar_type());
}

inline void check_concentrations(const TensorBase& alpha) {
  TORCH_CHECK(alpha.dim() > 0, "_sample_dirichlet expects concentrations along the last dimension, got none");
}

// The least normal number: samples that would be 0 are it, as their logarithms are taken.
inline double least_normal(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return std::numeric_limits<double>::min();
    case kHalf:
      return 0x1p-14;
    default:
      return static_cast<double>(std::numeric_limits<float>::min());
  }
}

// The greatest number below 1.
inline double below_one(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return 1.0 - 0x1p-53;
    case kHalf:
      return 1.0 - 0x1p-11;
    case kBFloat16:
      return 1.0 - 0x1p-8;
    default:
      return 1.0 - 0x1p-24;
  }
}

}  // namespace at::native
