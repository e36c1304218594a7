// Formulas of complex numbers made of real ones.
#include <ATen/native/complex/formulas.h>

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/util/complex.h>

#include <ATen/ops/conj_physical.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sgn.h>

namespace torch::inline C10_ABI::autograd::generated::details {

std::tuple<Tensor, Tensor> polar_backward(const Tensor& grad, const Tensor& result) {
  if (!grad.defined()) return {};
  const Tensor turned = result.mul(Scalar(c10::complex<double>(0, 1)));  // the slope along the angle
  return {at::real(grad.mul(at::conj_physical(at::sgn(result)))),
          at::real(grad.mul(at::conj_physical(turned)))};
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
