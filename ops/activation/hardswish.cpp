// hardswish and its gradient, and that of mish.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/hardswish_backward_native.h>
#include <ATen/ops/hardswish_native.h>
#include <ATen/ops/mish_backward_native.h>

namespace at::native {

DEFINE_DISPATCH(hardswish_stub);
DEFINE_DISPATCH(hardswish_backward_stub);
DEFINE_DISPATCH(mish_backward_stub);

Tensor& hardswish_out(const Tensor& self, Tensor& result) {
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() != kMeta) hardswish_stub(iter.device_type(), iter);
  return result;
}

Tensor hardswish(const Tensor& self) {
  Tensor result;
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() != kMeta) hardswish_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor& hardswish_(Tensor& self) { return at::native::hardswish_out(self, self); }

Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) hardswish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) mish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

}  // namespace at::native
