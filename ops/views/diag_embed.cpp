// Matrices with given diagonals: diag_embed, diag, diagflat, fill_diagonal_.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/safe_numerics.h>

#include <ATen/ops/as_strided.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/diag_embed_native.h>
#include <ATen/ops/diag_native.h>
#include <ATen/ops/diagflat_native.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_copy.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/fill_diagonal_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace at::native {

Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t ndim = self.dim() + 1;
  const int64_t rows = maybe_wrap_dim(dim1, ndim), columns = maybe_wrap_dim(dim2, ndim);
  TORCH_CHECK(rows != columns, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  int64_t side = 0;
  const bool overflows = __builtin_add_overflow(self.size(-1), offset < 0 ? -(offset + 1) : offset, &side) ||
                         __builtin_add_overflow(side, offset < 0, &side);
  TORCH_CHECK(!overflows, "diag_embed: offset ", offset, " is too large");
  DimVector sizes(self.sizes().begin(), self.sizes().end() - 1);
  sizes.insert(sizes.begin() + std::min(rows, columns), side);
  sizes.insert(sizes.begin() + std::max(rows, columns), side);
  const Tensor result = at::zeros(sizes, self.options());
  result.diagonal(offset, rows, columns).copy_(self);
  return result;
}

Tensor diag(const Tensor& self, int64_t offset) {
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D");
  return self.dim() == 1 ? at::diag_embed(self, offset) : at::diagonal_copy(self, offset);
}

Tensor& diag_out(const Tensor& self, int64_t offset, Tensor& out) {
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D");
  return self.dim() == 1 ? at::diag_embed_out(out, self, offset) : at::diagonal_copy_out(out, self, offset);
}

Tensor diagflat(const Tensor& self, int64_t offset) { return at::diag(self.reshape(-1), offset); }

namespace {

// In a tall matrix, with `wrap`, the diagonal begins anew after each square and a row between: in the
// elements one after the other it goes on with the same step.
void fill_matrix_diagonal(const Tensor& self, const Scalar& fill_value, bool wrap) {
  const int64_t rows = self.sizes()[0], square = self.sizes()[1];
  if (!wrap || rows <= square || square == 0 || self.is_meta()) {
    self.diagonal().fill_(fill_value);
  } else if (self.is_contiguous()) {
    self.view(-1).slice(0, 0, std::nullopt, square + 1).fill_(fill_value);
  } else {
    for (int64_t row = 0; row < rows; row += square + 1) {
      self.narrow(0, row, rows - row).diagonal().fill_(fill_value);
    }
  }
}

}  // namespace

Tensor& fill_diagonal_(Tensor& self, const Scalar& fill_value, bool wrap) {
  const IntArrayRef sizes = self.sizes();
  TORCH_CHECK(self.dim() >= 2, "dimensions must larger than 1");
  if (self.dim() == 2) {
    fill_matrix_diagonal(self, fill_value, wrap);
    return self;
  }
  TORCH_CHECK(std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size == sizes[0]; }),
              "all dimensions of input must be of equal length");
  int64_t stride = 0;
  for (const int64_t step : self.strides()) stride = c10::wrapping_add(stride, step);
  self.as_strided({sizes[0]}, {stride}).fill_(fill_value);
  return self;
}

}  // namespace at::native
