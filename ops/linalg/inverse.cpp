// Inverses, by the operator that reports its errors in a tensor.
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/inverse_native.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_inv_native.h>
#include <ATen/ops/linalg_tensorinv.h>
#include <ATen/ops/linalg_tensorinv_native.h>
#include <ATen/ops/reshape.h>

#include <algorithm>
#include <tuple>

namespace at::native {

Tensor linalg_inv(const Tensor& A) {
  auto [result, info] = at::linalg_inv_ex(A, /*check_errors=*/false);
  at::_linalg_check_errors(info, "linalg.inv", A.dim() == 2);
  return result;
}

Tensor& linalg_inv_out(const Tensor& A, Tensor& out) {
  Tensor info = at::empty({0}, A.options().dtype(kInt));
  at::linalg_inv_ex_outf(A, /*check_errors=*/false, out, info);
  at::_linalg_check_errors(info, "linalg.inv", A.dim() == 2);
  return out;
}

Tensor inverse(const Tensor& self) { return at::linalg_inv(self); }

Tensor& inverse_out(const Tensor& self, Tensor& out) { return at::linalg_inv_outf(self, out); }

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  TORCH_CHECK(ind > 0, "Expected a strictly positive integer for 'ind', but got ", ind);
  const IntArrayRef sizes = self.sizes();
  const size_t split = static_cast<size_t>(std::min<int64_t>(ind, self.dim()));
  DimVector swapped(sizes.slice(split));
  int64_t columns = 1, rows = 1;
  for (const int64_t size : swapped) columns *= size;
  for (const int64_t size : sizes.slice(0, split)) {
    swapped.push_back(size);
    rows *= size;
  }
  TORCH_CHECK(
      rows == columns,
      "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
      columns, " != ", rows);
  return at::linalg_inv(self.reshape({rows, columns})).reshape(swapped);
}

Tensor& linalg_tensorinv_out(const Tensor& self, int64_t ind, Tensor& out) {
  return write_same_dtype("tensorinv", out, at::linalg_tensorinv(self, ind));
}

}  // namespace at::native
