// logit and its gradient.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/logit.h>
#include <ATen/ops/logit_backward_native.h>
#include <ATen/ops/logit_native.h>

namespace at::native {

DEFINE_DISPATCH(logit_stub);
DEFINE_DISPATCH(logit_backward_stub);

Tensor& logit_out(const Tensor& self, std::optional<double> eps, Tensor& result) {
  auto iter = TensorIterator::unary_float_op(result, self);
  if (iter.device_type() != kMeta) logit_stub(iter.device_type(), iter, eps);
  return result;
}

Tensor logit(const Tensor& self, std::optional<double> eps) {
  Tensor result;
  auto iter = TensorIterator::unary_float_op(result, self);
  if (iter.device_type() != kMeta) logit_stub(iter.device_type(), iter, eps);
  return iter.output();
}

Tensor& logit_(Tensor& self, std::optional<double> eps) { return at::logit_outf(self, eps, self); }

TORCH_IMPL_FUNC(logit_backward_out)
(const Tensor&, const Tensor&, std::optional<double> eps, const Tensor&) {
  logit_backward_stub(device_type(), *this, eps);
}

}  // namespace at::native
