// float_power: computed in double or complex double, whatever the operands are.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/float_power_native.h>
#include <ATen/ops/pow.h>

namespace at::native {

namespace {

ScalarType wide_type(bool is_complex) { return is_complex ? kComplexDouble : kDouble; }

Scalar widen(const Scalar& number, ScalarType dtype) {
  return dtype == kComplexDouble ? Scalar(number.toComplexDouble()) : Scalar(number.toDouble());
}

void check_dtype(const Tensor& result, ScalarType dtype, const char* what) {
  TORCH_CHECK(result.scalar_type() == dtype, what, " has dtype ", result.scalar_type(),
              " but the operation's result requires dtype ", dtype);
}

constexpr const char* given_out = "the output given to float_power";
constexpr const char* given_base = "the base given to float_power_";

}  // namespace

Tensor& float_power_out(const Tensor& self, const Tensor& exponent, Tensor& result) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.is_complex());
  check_dtype(result, dtype, given_out);
  return at::pow_outf(self.to(dtype), exponent.to(dtype), result);
}

Tensor& float_power_out(const Tensor& self, const Scalar& exponent, Tensor& result) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.isComplex());
  check_dtype(result, dtype, given_out);
  return at::pow_outf(self.to(dtype), widen(exponent, dtype), result);
}

Tensor& float_power_out(const Scalar& self, const Tensor& exponent, Tensor& result) {
  const ScalarType dtype = wide_type(self.isComplex() || exponent.is_complex());
  check_dtype(result, dtype, given_out);
  return at::pow_outf(widen(self, dtype), exponent.to(dtype), result);
}

Tensor float_power(const Tensor& self, const Tensor& exponent) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.is_complex());
  return at::pow(self.to(dtype), exponent.to(dtype));
}

Tensor float_power(const Tensor& self, const Scalar& exponent) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.isComplex());
  return at::pow(self.to(dtype), widen(exponent, dtype));
}

Tensor float_power(const Scalar& self, const Tensor& exponent) {
  const ScalarType dtype = wide_type(self.isComplex() || exponent.is_complex());
  return at::pow(widen(self, dtype), exponent.to(dtype));
}

Tensor& float_power_(Tensor& self, const Tensor& exponent) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.is_complex());
  check_dtype(self, dtype, given_base);
  return self.pow_(exponent.to(dtype));
}

Tensor& float_power_(Tensor& self, const Scalar& exponent) {
  const ScalarType dtype = wide_type(self.is_complex() || exponent.isComplex());
  check_dtype(self, dtype, given_base);
  return self.pow_(widen(exponent, dtype));
}

}  // namespace at::native
