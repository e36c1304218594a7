// add, sub and mul with a scalar, which becomes a wrapped number; and unary plus.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/add_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mul_native.h>
#include <ATen/ops/positive_native.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/rsub_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sub_native.h>

namespace at::native {

Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::add(self, wrapped_scalar_tensor(other), alpha);
}
Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add_(wrapped_scalar_tensor(other), alpha);
}

Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::sub(self, wrapped_scalar_tensor(other), alpha);
}
Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub_(wrapped_scalar_tensor(other), alpha);
}

Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return at::sub(other, self, alpha);
}
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::rsub(self, wrapped_scalar_tensor(other), alpha);
}

Tensor mul(const Tensor& self, const Scalar& other) { return at::mul(self, wrapped_scalar_tensor(other)); }
Tensor& mul_(Tensor& self, const Scalar& other) { return self.mul_(wrapped_scalar_tensor(other)); }

Tensor positive(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

}  // namespace at::native
