// Bitwise operators with a scalar operand.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_and_native.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_or_native.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/bitwise_xor_native.h>

namespace at::native {

#define BITWISE_WITH_SCALAR(op)                                                                             \
  Tensor op(const Tensor& self, const Scalar& other) { return at::op(self, wrapped_scalar_tensor(other)); } \
  Tensor op(const Scalar& self, const Tensor& other) { return at::op(wrapped_scalar_tensor(self), other); } \
  Tensor& op##_(Tensor& self, const Scalar& other) { return self.op##_(wrapped_scalar_tensor(other)); }     \
  Tensor& op##_out(const Tensor& self, const Scalar& other, Tensor& result) {                               \
    return at::op##_outf(self, wrapped_scalar_tensor(other), result);                                       \
  }

BITWISE_WITH_SCALAR(bitwise_and)
BITWISE_WITH_SCALAR(bitwise_or)
BITWISE_WITH_SCALAR(bitwise_xor)

#undef BITWISE_WITH_SCALAR

}  // namespace at::native
