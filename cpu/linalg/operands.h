// Matrices that BLAS only reads: without a copy where their memory allows it.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/cpu/linalg/lapack.h>

namespace at::native::lapack {

/// A batch of matrices, by columns or (`transposed`) by rows, with a fixed distance of `ld` between these. A
/// batch that is broadcast is in memory once.
struct Operand {
  TensorBase held;
  bool transposed = false;
  Int ld = 1;

  /// The first element of a matrix, counted along all batch dimensions.
  template <class T>
  const T* matrix(int64_t index) const {
    return held.const_data_ptr<T>() + offset(index);
  }
  int64_t offset(int64_t index) const;
};

/// `given`, or a column-major copy of it.
Operand as_operand(const TensorBase& given);
/// The same, never transposed, for routines that take no matrix by its rows.
Operand as_column_operand(const TensorBase& given);

}  // namespace at::native::lapack
