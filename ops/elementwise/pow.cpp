// pow, and square and ldexp, which call it.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/ldexp.h>
#include <ATen/ops/ldexp_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/pow_native.h>
#include <ATen/ops/square_native.h>

namespace at::native {

DEFINE_DISPATCH(pow_tensor_tensor_stub);
DEFINE_DISPATCH(pow_tensor_scalar_stub);

TORCH_IMPL_FUNC(pow_Tensor_Tensor_out)(const Tensor&, const Tensor&, const Tensor&) {
  pow_tensor_tensor_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(pow_Tensor_Scalar_out)(const Tensor& base, const Scalar& exponent, const Tensor& out) {
  const bool is_real = !exponent.isComplex();
  if (is_real && exponent.toDouble() == 0) {
    out.fill_(1);
  } else if (is_real && exponent.toDouble() == 1) {
    out.copy_(base);
  } else {
    pow_tensor_scalar_stub(device_type(), *this, exponent);
  }
}

TORCH_IMPL_FUNC(pow_Scalar_out)(const Scalar& base, const Tensor& exponent, const Tensor& out) {
  if (base.equal(1.0)) {
    out.fill_(1);
  } else {
    Tensor result = out;
    at::pow_outf(wrapped_scalar_tensor(base), exponent, result);
  }
}

Tensor square(const Tensor& self) { return at::pow(self, 2); }
Tensor& square_(Tensor& self) { return self.pow_(2); }
Tensor& square_out(const Tensor& self, Tensor& result) { return at::pow_outf(self, 2, result); }

Tensor ldexp(const Tensor& self, const Tensor& other) { return at::mul(self, at::pow(2.0, other)); }
Tensor& ldexp_(Tensor& self, const Tensor& other) { return at::ldexp_outf(self, other, self); }
Tensor& ldexp_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::mul_outf(self, at::pow(2.0, other), result);
}

}  // namespace at::native
