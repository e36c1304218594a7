// Infinities and NaNs, with which some routines of LAPACK don't end.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// Throws a LinAlgError, with the matrix's place in the batch, where a matrix has an infinity or NaN. Their
/// memory is dense, one matrix after the other.
void check_finite(const TensorBase& matrices, const char* name);
/// The same of one triangle of square matrices in column-major memory.
void check_finite_triangle(const TensorBase& matrices, bool upper, const char* name);

}  // namespace at::native
