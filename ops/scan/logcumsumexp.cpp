// logcumsumexp around the device's kernel.
#include <ATen/WrapDimUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/scan/contiguous_scan.h>
#include <ATen/native/scan/stubs.h>

#include <ATen/ops/_logcumsumexp.h>
#include <ATen/ops/_logcumsumexp_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/logcumsumexp_native.h>

namespace at::native {

DEFINE_DISPATCH(logcumsumexp_stub);

Tensor& logcumsumexp_helper_out(const Tensor& self, int64_t dim, Tensor& out) {
  maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), "logcumsumexp(): expected out of dtype ",
              self.scalar_type(), ", but got ", out.scalar_type());
  resize_output(out, self.sizes());
  contiguous_scan(logcumsumexp_stub, self, dim, out);
  return out;
}

Tensor logcumsumexp_helper(const Tensor& self, int64_t dim) {
  maybe_wrap_dim(dim, self.dim());
  Tensor out = at::empty(self.sizes(), self.options());
  contiguous_scan(logcumsumexp_stub, self, dim, out);
  return out;
}

Tensor logcumsumexp(const Tensor& self, int64_t dim) { return at::_logcumsumexp(self, dim); }

Tensor& logcumsumexp_out(const Tensor& self, int64_t dim, Tensor& out) {
  return at::_logcumsumexp_outf(self, dim, out);
}

}  // namespace at::native
