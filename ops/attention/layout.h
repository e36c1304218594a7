// The layout of what attention returns.
#pragma once

#include <ATen/core/Tensor.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/transpose.h>

namespace at::native {

/// Uninitialised, [batch, heads, rows, size] as `like` is, and [batch, rows, heads, size] in memory.
inline Tensor empty_by_rows(const Tensor& like, ScalarType dtype) {
  const TensorOptions options = like.options().dtype(dtype);
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, options).transpose(1, 2);
}
inline Tensor empty_by_rows(const Tensor& like) { return empty_by_rows(like, like.scalar_type()); }

/// One element a row: [batch, heads, rows], and [batch, rows, heads] in memory.
inline Tensor empty_row_values(const Tensor& like, ScalarType dtype) {
  return at::empty({like.size(0), like.size(2), like.size(1)}, like.options().dtype(dtype)).transpose(1, 2);
}

}  // namespace at::native
