// The dtypes of norms.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>

#include <optional>

namespace at::native {

/// Throws, naming the operator, unless a norm of elements of `own` can be computed in `dtype`: both are real
/// or both complex, and nothing is lost.
TORCH_API void check_norm_dtype(const char* name, std::optional<ScalarType> dtype, ScalarType own);

}  // namespace at::native
