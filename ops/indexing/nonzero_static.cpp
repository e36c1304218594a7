// nonzero in other forms: with a fixed number of rows, as columns, under NumPy's name.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/argwhere_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/nonzero_numpy_native.h>
#include <ATen/ops/nonzero_static_native.h>
#include <ATen/ops/unbind.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <vector>

namespace at::native {

Tensor argwhere(const Tensor& self) { return at::nonzero(self); }

// A 0-dim tensor is treated as 1-dim, so there is at least one column.
std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  return at::nonzero(self.dim() == 0 ? self.unsqueeze(0) : self).unbind(1);
}

Tensor& nonzero_static_out(const Tensor& self, int64_t size, int64_t fill_value, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero_static: Expected out tensor to have scalar type Long but got scalar type ",
              result.scalar_type());
  TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  resize_output(result, {size, self.dim()});
  if (result.is_meta()) return result;
  const Tensor found = at::nonzero(self);
  const int64_t rows = std::min(size, found.sizes()[0]);
  result.narrow(0, 0, rows).copy_(found.narrow(0, 0, rows));
  result.narrow(0, rows, size - rows).fill_(fill_value);
  return result;
}

Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value) {
  TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
  Tensor result = at::empty({size, self.dim()}, self.options().dtype(kLong));
  return nonzero_static_out(self, size, fill_value, result);
}

}  // namespace at::native
