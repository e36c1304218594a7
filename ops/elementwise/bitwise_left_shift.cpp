// Shifts by scalars, and Python's << and >>, which scale floating tensors by powers of two.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_left_shift_native.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/bitwise_right_shift_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/lshift_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rshift_native.h>

namespace at::native {

#define SHIFT_BY_SCALAR(name)                                                                               \
  Tensor name(const Tensor& self, const Scalar& other) {                                                    \
    return at::name(self, wrapped_scalar_tensor(other));                                                    \
  }                                                                                                         \
  Tensor& name##_(Tensor& self, const Scalar& other) { return self.name##_(wrapped_scalar_tensor(other)); } \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& result) {                             \
    return at::name##_outf(self, wrapped_scalar_tensor(other), result);                                     \
  }                                                                                                         \
  Tensor name(const Scalar& self, const Tensor& other) {                                                    \
    return at::name(wrapped_scalar_tensor(self), other);                                                    \
  }

SHIFT_BY_SCALAR(bitwise_left_shift)
SHIFT_BY_SCALAR(bitwise_right_shift)
#undef SHIFT_BY_SCALAR

namespace {

Tensor power_of_two(const Tensor& self, const Tensor& exponent) {
  return at::pow(Scalar(2.0), exponent.to(self.scalar_type()));
}

}  // namespace

Tensor __lshift__(const Tensor& self, const Tensor& other) {
  return self.is_floating_point() ? at::mul(self, power_of_two(self, other))
                                  : at::bitwise_left_shift(self, other);
}
Tensor __lshift__(const Tensor& self, const Scalar& other) {
  return at::native::__lshift__(self, wrapped_scalar_tensor(other));
}
Tensor& __ilshift__(Tensor& self, const Tensor& other) {
  return self.is_floating_point() ? self.mul_(power_of_two(self, other)) : self.bitwise_left_shift_(other);
}
Tensor& __ilshift__(Tensor& self, const Scalar& other) {
  return at::native::__ilshift__(self, wrapped_scalar_tensor(other));
}

Tensor __rshift__(const Tensor& self, const Tensor& other) {
  return self.is_floating_point() ? at::div(self, power_of_two(self, other))
                                  : at::bitwise_right_shift(self, other);
}
Tensor __rshift__(const Tensor& self, const Scalar& other) {
  return at::native::__rshift__(self, wrapped_scalar_tensor(other));
}
Tensor& __irshift__(Tensor& self, const Tensor& other) {
  return self.is_floating_point() ? self.div_(power_of_two(self, other)) : self.bitwise_right_shift_(other);
}
Tensor& __irshift__(Tensor& self, const Scalar& other) {
  return at::native::__irshift__(self, wrapped_scalar_tensor(other));
}

}  // namespace at::native
