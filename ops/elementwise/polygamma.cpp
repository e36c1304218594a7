// polygamma, and special_ndtr.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/polygamma.h>
#include <ATen/ops/polygamma_native.h>
#include <ATen/ops/special_ndtr_native.h>
#include <ATen/ops/special_polygamma_native.h>

namespace at::native {

DEFINE_DISPATCH(polygamma_stub);

TORCH_IMPL_FUNC(polygamma_out)(int64_t n, const Tensor& self, const Tensor& out) {
  if (n == 0) {
    Tensor result = out;
    at::digamma_outf(self, result);
  } else {
    polygamma_stub(device_type(), *this, n);
  }
}

Tensor& polygamma_(Tensor& self, int64_t n) { return at::polygamma_outf(n, self, self); }
Tensor special_polygamma(int64_t n, const Tensor& self) { return at::polygamma(n, self); }
Tensor& special_polygamma_out(int64_t n, const Tensor& self, Tensor& result) {
  return at::polygamma_outf(n, self, result);
}

namespace {

// erfc is accurate in the lower tail, where 1 + erf isn't.
Tensor normal_distribution(const Tensor& self) {
  return at::mul(at::erfc(at::mul(self, -0.70710678118654752440)), 0.5);
}

}  // namespace

Tensor special_ndtr(const Tensor& self) { return normal_distribution(self); }

Tensor& special_ndtr_out(const Tensor& self, Tensor& result) {
  const Tensor values = normal_distribution(self);
  TORCH_CHECK(canCast(values.scalar_type(), result.scalar_type()), "result type ", values.scalar_type(),
              " can't be cast to the desired output type ", result.scalar_type());
  at::native::resize_output(result, values.sizes());
  return result.copy_(values);
}

}  // namespace at::native
