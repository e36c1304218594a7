// Losses whose kernels are elementwise, and losses made of other operators.
#include <ATen/TensorIterator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Loss.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/mse_loss_backward_native.h>
#include <ATen/ops/mse_loss_native.h>
#include <ATen/ops/sum.h>

namespace at::native {

DEFINE_DISPATCH(mse_stub);
DEFINE_DISPATCH(mse_backward_stub);

namespace {

Tensor reduced(const Tensor& loss, int64_t reduction) {
  if (reduction == Reduction::Mean) return loss.mean();
  return reduction == Reduction::Sum ? loss.sum() : loss;
}

}  // namespace

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, target);
  if (iter.device_type() != kMeta) mse_stub(iter.device_type(), iter);
  return reduced(iter.output(), reduction);
}

Tensor& mse_loss_out(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  if (reduction == Reduction::None) {
    auto iter = TensorIterator::borrowing_binary_op(out, self, target);
    if (iter.device_type() != kMeta) mse_stub(iter.device_type(), iter);
    return out;
  }
  const Tensor loss = at::mse_loss(self, target, reduction);
  TORCH_CHECK(canCast(loss.scalar_type(), out.scalar_type()), "result type ", loss.scalar_type(),
              " can't be cast to the desired output type ", out.scalar_type());
  resize_output(out, {});
  return out.copy_(loss);
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
