// diagonal and its gradient.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/safe_numerics.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_backward_native.h>
#include <ATen/ops/diagonal_native.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace at::native {

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t rows = maybe_wrap_dim(dim1, self.dim()), columns = maybe_wrap_dim(dim2, self.dim());
  TORCH_CHECK(rows != columns, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  // An offset beyond either side gives an empty view; it is clamped so that the sums don't overflow.
  const int64_t shift = std::clamp(offset, -sizes[rows], sizes[columns]);
  const int64_t length = shift >= 0 ? std::min(sizes[rows], sizes[columns] - shift)
                                    : std::min(sizes[rows] + shift, sizes[columns]);
  DimVector new_sizes, new_strides;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d == rows || d == columns) continue;
    new_sizes.push_back(sizes[d]);
    new_strides.push_back(strides[d]);
  }
  new_sizes.push_back(std::max<int64_t>(length, 0));
  new_strides.push_back(c10::wrapping_add(strides[rows], strides[columns]));
  const int64_t skipped = shift >= 0 ? shift * strides[columns] : -shift * strides[rows];
  return at::detail::make_view(self, new_sizes, new_strides,
                               self.storage_offset() + (length > 0 ? skipped : 0));
}

Tensor diagonal_backward_symint(const Tensor& grad_output, c10::SymIntArrayRef input_sizes, int64_t offset,
                                int64_t dim1, int64_t dim2) {
  const Tensor grad_input = at::zeros(C10_AS_INTARRAYREF_SLOW(input_sizes), grad_output.options());
  grad_input.diagonal(offset, dim1, dim2).copy_(grad_output);
  return grad_input;
}

}  // namespace at::native
