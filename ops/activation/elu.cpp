// The gradient of elu, and selu and celu, which are elu with other scales.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/celu_native.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/elu_backward_native.h>
#include <ATen/ops/selu_native.h>

namespace at::native {

DEFINE_DISPATCH(elu_backward_stub);

TORCH_IMPL_FUNC(elu_backward_out)
(const Tensor&, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, bool is_result,
 const Tensor&, const Tensor&) {
  elu_backward_stub(device_type(), *this, EluScales{alpha, scale, input_scale, is_result});
}

namespace {

constexpr double selu_alpha = 1.6732632423543772848170429916717;
constexpr double selu_scale = 1.0507009873554804934193349852946;

// celu(x) = elu(x / alpha) * alpha above, alpha * expm1(x / alpha) below zero.
double inverse_alpha(const Scalar& alpha) {
  TORCH_CHECK(alpha.toDouble() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return 1.0 / alpha.toDouble();
}

}  // namespace

Tensor selu(const Tensor& self) { return at::elu(self, selu_alpha, selu_scale); }
Tensor& selu_(Tensor& self) { return at::elu_(self, selu_alpha, selu_scale); }

Tensor celu(const Tensor& self, const Scalar& alpha) {
  return at::elu(self, alpha, 1.0, inverse_alpha(alpha));
}
Tensor& celu_(Tensor& self, const Scalar& alpha) { return at::elu_(self, alpha, 1.0, inverse_alpha(alpha)); }

}  // namespace at::native
