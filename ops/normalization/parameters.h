// The common dtype of a normalisation's parameters.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

#include <initializer_list>

namespace at::native {

/// Of weight, bias and statistics, some of which may be undefined: the input's, or Float for a 16-bit input.
inline ScalarType norm_parameter_dtype(const TensorBase& input,
                                       std::initializer_list<const TensorBase*> parameters) {
  ScalarType dtype = input.scalar_type();
  for (const TensorBase* parameter : parameters) {
    if (!parameter->defined() || parameter->scalar_type() == input.scalar_type()) continue;
    TORCH_CHECK(isReducedFloatingType(input.scalar_type()) && parameter->scalar_type() == kFloat,
                "mixed dtype: expected parameters of the input's dtype ", input.scalar_type(),
                ", or Float beside a 16-bit input, but got ", parameter->scalar_type());
    dtype = kFloat;
  }
  for (const TensorBase* parameter : parameters) {
    TORCH_CHECK(!parameter->defined() || parameter->scalar_type() == dtype,
                "mixed dtype: expected all parameters to have the same scalar type, but got both ", dtype,
                " and ", input.scalar_type());
  }
  return dtype;
}

}  // namespace at::native
