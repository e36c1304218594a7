// Losses with elementwise kernels, and losses composed of other operators.
#include <ATen/TensorIterator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/loss/reduction.h>
#include <ATen/native/loss/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/mse_loss_backward_native.h>
#include <ATen/ops/mse_loss_native.h>

namespace at::native {

DEFINE_DISPATCH(mse_stub);
DEFINE_DISPATCH(mse_backward_stub);

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, target);
  if (iter.device_type() != kMeta) mse_stub(iter.device_type(), iter);
  return apply_loss_reduction(iter.output(), reduction);
}

Tensor& mse_loss_out(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  if (reduction == Reduction::None) {
    auto iter = TensorIterator::borrowing_binary_op(out, self, target);
    if (iter.device_type() != kMeta) mse_stub(iter.device_type(), iter);
    return out;
  }
  return write_result("mse_loss", out, at::mse_loss(self, target, reduction));
}

Tensor& mse_loss_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              int64_t reduction, Tensor& grad_input) {
  const double factor = reduction == Reduction::Mean ? 2.0 / static_cast<double>(self.numel()) : 2.0;
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .add_output(grad_input)
      .add_const_input(self)
      .add_const_input(target)
      .add_const_input(grad_output);
  auto iter = config.build();
  if (iter.device_type() != kMeta) mse_backward_stub(iter.device_type(), iter, factor);
  return grad_input;
}

Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         int64_t reduction) {
  Tensor grad_input = at::empty_like(self, MemoryFormat::Contiguous);
  return mse_loss_backward_out(grad_output, self, target, reduction, grad_input);
}

}  // namespace at::native
