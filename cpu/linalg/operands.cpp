// Matrices that BLAS only reads.
#include <ATen/native/cpu/linalg/operands.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>

#include <algorithm>
#include <limits>

namespace at::native::lapack {

namespace {

// Whether lines along `dim` have no gaps, and lie at a distance that BLAS takes.
bool has_lines_along(const TensorBase& t, int64_t dim, int64_t other) {
  const int64_t line = std::max<int64_t>(t.size(dim), 1), step = t.stride(other);
  const bool dense = t.size(dim) == 1 || t.stride(dim) == 1;
  return dense && (t.size(other) == 1 || (step >= line && step <= std::numeric_limits<Int>::max()));
}

}  // namespace

int64_t Operand::offset(int64_t index) const {
  int64_t found = 0;
  for (int64_t dim = held.dim() - 3; dim >= 0; --dim) {
    found += index % held.size(dim) * held.stride(dim);
    index /= held.size(dim);
  }
  return found;
}

namespace {

Operand make_operand(const TensorBase& given, bool may_transpose) {
  const int64_t rows = given.dim() - 2, columns = given.dim() - 1;
  const bool by_columns = has_lines_along(given, rows, columns);
  const bool by_rows = may_transpose && !by_columns && has_lines_along(given, columns, rows);
  const TensorBase held = by_columns || by_rows ? given : copy_column_major(Tensor(given));
  const int64_t along = by_rows ? columns : rows, across = by_rows ? rows : columns;
  const int64_t step = held.size(across) == 1 ? 0 : held.stride(across);
  return {held, by_rows, narrow(std::max({step, held.size(along), int64_t{1}}))};
}

}  // namespace

Operand as_operand(const TensorBase& given) { return make_operand(given, /*may_transpose=*/true); }

Operand as_column_operand(const TensorBase& given) { return make_operand(given, /*may_transpose=*/false); }

}  // namespace at::native::lapack
