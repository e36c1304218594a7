// argsort and msort: parts of sort's results.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/argsort_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/msort_native.h>
#include <ATen/ops/sort.h>

#include <tuple>

namespace at::native {

Tensor argsort(const Tensor& self, int64_t dim, bool descending) {
  return std::get<1>(at::sort(self, dim, descending));
}

Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending) {
  return std::get<1>(at::sort(self, stable, dim, descending));
}

Tensor& argsort_out(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out) {
  Tensor values = at::empty({0}, self.options());
  at::sort_outf(self, stable, dim, descending, values, out);
  return out;
}

Tensor msort(const Tensor& self) { return std::get<0>(at::sort(self, /*dim=*/0, /*descending=*/false)); }

Tensor& msort_out(const Tensor& self, Tensor& out) {
  Tensor indices = at::empty({0}, self.options().dtype(kLong));
  at::sort_outf(self, /*dim=*/0, /*descending=*/false, out, indices);
  return out;
}

}  // namespace at::native
