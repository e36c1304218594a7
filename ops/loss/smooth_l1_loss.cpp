// huber_loss, smooth_l1_loss and binary_cross_entropy: elementwise kernels, then a reduction.
#include <ATen/TensorIterator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/loss/reduction.h>
#include <ATen/native/loss/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/binary_cross_entropy_backward_native.h>
#include <ATen/ops/binary_cross_entropy_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/huber_loss.h>
#include <ATen/ops/huber_loss_backward_native.h>
#include <ATen/ops/huber_loss_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/l1_loss_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/smooth_l1_loss_backward_native.h>
#include <ATen/ops/smooth_l1_loss_native.h>
#include <ATen/ops/sub.h>

namespace at::native {

DEFINE_DISPATCH(smooth_loss_stub);
DEFINE_DISPATCH(smooth_loss_backward_stub);
DEFINE_DISPATCH(binary_cross_entropy_stub);
DEFINE_DISPATCH(binary_cross_entropy_backward_stub);

namespace {

// The divisor of the reduced loss's gradient.
double share(const Tensor& self, int64_t reduction) {
  return reduction == Reduction::Mean ? 1.0 / static_cast<double>(self.numel()) : 1.0;
}

TensorIterator backward_iterator(const Tensor& grad_input, const Tensor& self, const Tensor& target,
                                 const Tensor& grad_output) {
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .add_output(grad_input)
      .add_const_input(self)
      .add_const_input(target)
      .add_const_input(grad_output);
  return config.build();
}

}  // namespace

Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return apply_loss_reduction(at::abs(at::sub(self, target)), reduction);
}

// -------------------- smooth_l1_loss

TORCH_IMPL_FUNC(smooth_l1_loss_out)
(const Tensor& self, const Tensor& target, int64_t reduction, double beta, const Tensor& result) {
  const SmoothLossShape shape{beta, 0.5 / beta, 1.0};
  if (reduction == Reduction::None) {
    smooth_loss_stub(device_type(), *this, shape);
    return;
  }
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, target);
  smooth_loss_stub(iter.device_type(), iter, shape);
  const_cast<Tensor&>(result).copy_(apply_loss_reduction(iter.output(), reduction));
}

Tensor& smooth_l1_loss_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                    int64_t reduction, double beta, Tensor& grad_input) {
  const double part = share(self, reduction);
  auto iter = backward_iterator(grad_input, self, target, grad_output);
  if (iter.device_type() != kMeta) {
    smooth_loss_backward_stub(iter.device_type(), iter, SmoothLossShape{beta, part / beta, part});
  }
  return grad_input;
}

Tensor smooth_l1_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                               int64_t reduction, double beta) {
  Tensor grad_input = at::empty_like(self, MemoryFormat::Contiguous);
  return smooth_l1_loss_backward_out(grad_output, self, target, reduction, beta, grad_input);
}

// -------------------- huber_loss

Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  TORCH_CHECK(delta > 0, "huber_loss does not support non-positive values for delta.");
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, target);
  if (iter.device_type() != kMeta) {
    smooth_loss_stub(iter.device_type(), iter, SmoothLossShape{delta, 0.5, delta});
  }
  return apply_loss_reduction(iter.output(), reduction);
}

Tensor& huber_loss_out(const Tensor& self, const Tensor& target, int64_t reduction, double delta,
                       Tensor& out) {
  return write_result("huber_loss", out, at::huber_loss(self, target, reduction, delta));
}

Tensor& huber_loss_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                int64_t reduction, double delta, Tensor& grad_input) {
  const double part = share(self, reduction);
  auto iter = backward_iterator(grad_input, self, target, grad_output);
  if (iter.device_type() != kMeta) {
    smooth_loss_backward_stub(iter.device_type(), iter, SmoothLossShape{delta, part, part * delta});
  }
  return grad_input;
}

Tensor huber_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           int64_t reduction, double delta) {
  Tensor grad_input = at::empty_like(self, MemoryFormat::Contiguous);
  return huber_loss_backward_out(grad_output, self, target, reduction, delta, grad_input);
}

// -------------------- binary_cross_entropy

namespace {

bool has(const std::optional<Tensor>& t) { return t && t->defined(); }

void check_dtypes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight) {
  TORCH_CHECK(target.scalar_type() == self.scalar_type(), "Found dtype ", target.scalar_type(),
              " but expected ", self.scalar_type());
  TORCH_CHECK(!has(weight) || weight->scalar_type() == self.scalar_type(), "Found dtype ",
              has(weight) ? weight->scalar_type() : kFloat, " but expected ", self.scalar_type());
}

// On other devices the check would synchronize.
void check_probabilities(const char* name, const Tensor& t) {
  if (!t.device().is_cpu() || t.numel() == 0 || !t.is_floating_point()) return;
  TORCH_CHECK(at::amin(t).item().toDouble() >= 0 && at::amax(t).item().toDouble() <= 1, "all elements of ",
              name, " should be between 0 and 1");
}

}  // namespace

Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                            int64_t reduction) {
  check_dtypes(self, target, weight);
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, target);
  check_probabilities("input", self);
  check_probabilities("target", target);
  if (iter.device_type() != kMeta) binary_cross_entropy_stub(iter.device_type(), iter);
  const Tensor loss = iter.output();
  return apply_loss_reduction(has(weight) ? at::mul(loss, *weight) : loss, reduction);
}

Tensor& binary_cross_entropy_out(const Tensor& self, const Tensor& target,
                                 const std::optional<Tensor>& weight, int64_t reduction, Tensor& out) {
  return write_result("binary_cross_entropy", out, at::binary_cross_entropy(self, target, weight, reduction));
}

Tensor& binary_cross_entropy_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                          const std::optional<Tensor>& weight, int64_t reduction,
                                          Tensor& grad_input) {
  check_dtypes(self, target, weight);
  auto iter = backward_iterator(grad_input, self, target, grad_output);
  if (iter.device_type() != kMeta) binary_cross_entropy_backward_stub(iter.device_type(), iter);
  if (has(weight)) grad_input.mul_(*weight);
  if (reduction == Reduction::Mean) grad_input.mul_(share(self, reduction));
  return grad_input;
}

Tensor binary_cross_entropy_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                     const std::optional<Tensor>& weight, int64_t reduction) {
  Tensor grad_input = at::empty_like(self);
  return binary_cross_entropy_backward_out(grad_output, self, target, weight, reduction, grad_input);
}

}  // namespace at::native
