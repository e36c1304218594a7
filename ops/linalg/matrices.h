// What the operators of linear algebra share: checks of their arguments, batches, column-major memory.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string_view>
#include <tuple>

namespace at::native {

/// Strides of matrices one after the other, each by its columns, as LAPACK has them.
TORCH_API DimVector column_major_strides(IntArrayRef sizes);
/// Those of contiguous tensors.
TORCH_API DimVector row_major_strides(IntArrayRef sizes);
/// Whether `self` has the first of these.
TORCH_API bool is_column_major(const Tensor& self);
/// `self` if it is column-major, else a copy that is. LAPACK reads it.
TORCH_API Tensor as_column_major(const Tensor& self);
/// A column-major copy, which LAPACK may overwrite.
TORCH_API Tensor copy_column_major(const Tensor& self);
/// An uninitialised column-major tensor.
TORCH_API Tensor empty_column_major(IntArrayRef sizes, const c10::TensorOptions& options);

/// The number of matrices: the product of all dimensions but the last two.
TORCH_API int64_t matrix_count(const Tensor& self);
/// All dimensions but the last `n`.
TORCH_API DimVector batch_sizes(const Tensor& self, int64_t n = 2);
/// The same with other matrices: batch + (rows, columns).
TORCH_API DimVector with_matrix(IntArrayRef batch, int64_t rows, int64_t columns);
/// The conjugate transpose; a real tensor's transpose is a view.
TORCH_API Tensor conjugate_transpose(const Tensor& self);

/// The matrix with ones on its diagonal.
TORCH_API Tensor identity_matrix(int64_t rows, int64_t columns, const c10::TensorOptions& options);

/// Throws unless `self` has floats or complex numbers; 16-bit floats only where `low_precision`.
TORCH_API void check_float_or_complex(const Tensor& self, const char* name, bool low_precision = false);
/// Throws unless `self` has two dimensions or more.
TORCH_API void check_is_matrix(const Tensor& self, const char* name, const char* argument = "A");
/// Throws unless `self` is a batch of square matrices.
TORCH_API void check_square(const Tensor& self, const char* name, const char* argument = "A");
/// Throws unless the two have one dtype.
TORCH_API void check_one_dtype(const Tensor& a, const Tensor& b, const char* name);
/// Throws unless A X = B, or X A = B for `left` false, has sizes that fit; A must be square.
TORCH_API void check_solve_sizes(const Tensor& a, const Tensor& b, bool left, const char* name);

/// Whether the right side `b` of A X = B is a batch of vectors rather than matrices.
TORCH_API bool is_vector_side(const Tensor& a, const Tensor& b);
/// Whether linalg.qr's mode asks for Q, and whether for no more columns of it than R has rows.
TORCH_API std::tuple<bool, bool> parse_qr_mode(std::string_view mode);

/// The sizes of two batches of matrices whose batch dimensions are broadcast.
TORCH_API std::tuple<DimVector, DimVector> broadcast_batch_sizes(const Tensor& a, const Tensor& b);
TORCH_API std::tuple<Tensor, Tensor> broadcast_batches(const Tensor& a, const Tensor& b);

}  // namespace at::native
