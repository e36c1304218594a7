// frexp.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/empty_like.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/frexp_native.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(frexp_mantissa_stub);
DEFINE_DISPATCH(frexp_exponent_stub);

std::tuple<Tensor&, Tensor&> frexp_out(const Tensor& self, Tensor& mantissa, Tensor& exponent) {
  TORCH_CHECK(self.is_floating_point(), "frexp() only supports floating-point dtypes, got ",
              self.scalar_type());
  TORCH_CHECK(mantissa.scalar_type() == self.scalar_type(), "frexp() expects mantissa to have dtype ",
              self.scalar_type(), " but got ", mantissa.scalar_type());
  TORCH_CHECK(exponent.scalar_type() == kInt, "frexp() expects exponent to have int dtype but got ",
              exponent.scalar_type());
  auto exponents =
      TensorIteratorConfig().check_all_same_dtype(false).add_output(exponent).add_const_input(self).build();
  if (!self.is_meta()) frexp_exponent_stub(exponents.device_type(), exponents);
  auto mantissas = TensorIterator::unary_op(mantissa, self);
  if (!self.is_meta()) frexp_mantissa_stub(mantissas.device_type(), mantissas);
  return {mantissa, exponent};
}

std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  Tensor mantissa = at::empty_like(self), exponent = at::empty_like(self, self.options().dtype(kInt));
  at::frexp_outf(self, mantissa, exponent);
  return {std::move(mantissa), std::move(exponent)};
}

}  // namespace at::native
