// Meta functions of the negative log likelihood and of smooth_l1_loss.
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/nll_loss_backward_meta.h>
#include <ATen/ops/nll_loss_forward_meta.h>
#include <ATen/ops/smooth_l1_loss_meta.h>

namespace at::meta {

namespace {

void check_nll(const Tensor& self, const Tensor& target, OptionalTensorRef weight) {
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "input tensor should be 1D or 2D");
  TORCH_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  const bool no_batch = self.dim() == 1 && target.dim() == 0;
  TORCH_CHECK(no_batch || (self.dim() == 2 ? self.sizes()[0] : 1) == target.numel(),
              "size mismatch (got input: ", self.sizes(), ", target: ", target.sizes(), ")");
  TORCH_CHECK(target.scalar_type() == kLong || target.scalar_type() == kByte,
              "expected target dtype to be Long or Byte, but got ", target.scalar_type());
  if (!weight.has_value()) return;
  const int64_t classes = self.sizes().back();
  TORCH_CHECK(weight->dim() == 1 && weight->numel() == classes,
              "weight tensor should be defined either for all ", classes,
              " classes or no classes but got weight tensor of shape: ", weight->sizes());
  TORCH_CHECK(weight->scalar_type() == self.scalar_type(), "expected scalar type ", self.scalar_type(),
              " for argument 'weight' but found ", weight->scalar_type());
}

}  // namespace

TORCH_META_FUNC(smooth_l1_loss)
(const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  TORCH_CHECK(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  TORCH_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum,
              "smooth_l1_loss: reduction must be 0 ", "(none), 1 (mean) or 2 (sum), got ", reduction);
  build_borrowing_binary_op(maybe_get_output(), self, target);
  if (reduction != Reduction::None) const_cast<Tensor&>(maybe_get_output()).resize_({});
}

TORCH_META_FUNC(nll_loss_forward)
(const Tensor& self, const Tensor& target, OptionalTensorRef weight, int64_t reduction, int64_t) {
  check_nll(self, target, weight);
  if (reduction == Reduction::None && self.dim() == 2) {
    set_output_contiguous(0, {self.sizes()[0]}, self.options());
  } else {
    set_output_contiguous(0, {}, self.options());
  }
  set_output_contiguous(1, {}, self.options());
}

TORCH_META_FUNC(nll_loss_backward)
(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
 int64_t reduction, int64_t, const Tensor& total_weight) {
  check_nll(self, target, weight);
  TORCH_CHECK(
      grad_output.scalar_type() == self.scalar_type() && total_weight.scalar_type() == self.scalar_type(),
      "expected scalar type ", self.scalar_type(), " for grad_output and total_weight but found ",
      grad_output.scalar_type(), " and ", total_weight.scalar_type());
  TORCH_CHECK(total_weight.numel() == 1,
              "expected total_weight to be a single element tensor, got: ", total_weight.sizes());
  if (reduction == Reduction::None && self.dim() == 2) {
    TORCH_CHECK(grad_output.dim() == 1 && grad_output.numel() == self.sizes()[0],
                "expected grad_output of shape [", self.sizes()[0], "] but got ", grad_output.sizes());
  } else {
    TORCH_CHECK(grad_output.dim() <= 1 && grad_output.numel() == 1,
                "Expected a single element grad_output tensor, but got: ", grad_output.sizes());
  }
  set_output_contiguous(0, self.sizes(), self.options());
}

}  // namespace at::meta
