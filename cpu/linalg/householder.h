// Householder reflectors by LAPACK. Matrices are column-major.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// QR factors of each matrix, in its place: R above, the reflectors below its diagonal, their factors in
/// `tau`.
void factor_qr(const TensorBase& a, const TensorBase& tau);
/// The product of the reflectors, in their place: as many columns as the matrices have.
void multiply_reflectors(const TensorBase& a, const TensorBase& tau);
/// other = Q @ other, or other @ Q, of all of Q; conjugated and transposed if asked.
void apply_reflectors(const TensorBase& a, const TensorBase& tau, const TensorBase& other, bool left,
                      bool transpose);

}  // namespace at::native
