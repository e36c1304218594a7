// xlogy, special_xlog1py and copysign with a scalar operand.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/copysign.h>
#include <ATen/ops/copysign_native.h>
#include <ATen/ops/special_xlog1py.h>
#include <ATen/ops/special_xlog1py_native.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xlogy_native.h>

namespace at::native {

Tensor copysign(const Tensor& self, const Scalar& other) {
  return at::copysign(self, wrapped_scalar_tensor(other));
}
Tensor& copysign_(Tensor& self, const Scalar& other) { return self.copysign_(wrapped_scalar_tensor(other)); }
Tensor& copysign_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::copysign_outf(self, wrapped_scalar_tensor(other), result);
}

#define NUMBER_WITH_TENSOR(name)                                                \
  Tensor name(const Scalar& self, const Tensor& other) {                        \
    return at::name(wrapped_scalar_tensor(self), other);                        \
  }                                                                             \
  Tensor name(const Tensor& self, const Scalar& other) {                        \
    return at::name(self, wrapped_scalar_tensor(other));                        \
  }                                                                             \
  Tensor& name##_out(const Scalar& self, const Tensor& other, Tensor& result) { \
    return at::name##_outf(wrapped_scalar_tensor(self), other, result);         \
  }                                                                             \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& result) { \
    return at::name##_outf(self, wrapped_scalar_tensor(other), result);         \
  }

NUMBER_WITH_TENSOR(xlogy)
NUMBER_WITH_TENSOR(special_xlog1py)

#undef NUMBER_WITH_TENSOR

Tensor& xlogy_(Tensor& self, const Scalar& other) { return self.xlogy_(wrapped_scalar_tensor(other)); }

}  // namespace at::native
