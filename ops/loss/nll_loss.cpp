// The negative log likelihood around the devices' kernels, and the losses composed of it.
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/loss/nll_loss.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/nll_loss2d.h>
#include <ATen/ops/nll_loss_backward_native.h>
#include <ATen/ops/nll_loss_forward.h>
#include <ATen/ops/nll_loss_forward_native.h>
#include <ATen/ops/nll_loss_native.h>
#include <ATen/ops/nll_loss_nd_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zero.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(nll_each_stub);
DEFINE_DISPATCH(nll_total_stub);
DEFINE_DISPATCH(nll_backward_stub);

// -------------------- around the kernels

namespace {

// The tensors as the kernels take them: an input without batch becomes a batch of one.
struct Operands {
  Tensor self, target, weight;

  Operands(const Tensor& self_, const Tensor& target_, OptionalTensorRef weight_)
      : self(self_.dim() == 1 ? self_.unsqueeze(0) : self_),
        target(target_.to(kLong).contiguous()),
        weight(weight_.has_value() ? weight_->contiguous() : Tensor()) {}
};

}  // namespace

TORCH_IMPL_FUNC(nll_loss_forward_out)
(const Tensor& self, const Tensor& target, OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
 const Tensor& output, const Tensor& total_weight) {
  const Operands operands(self, target, weight);
  const NllLoss loss{operands.self, operands.target, operands.weight, ignore_index};
  const auto device = self.device().type();
  if (reduction == Reduction::None && self.dim() == 2) {
    total_weight.zero_();
    if (target.numel() > 0) nll_each_stub(device, loss, output);
  } else {
    nll_total_stub(device, loss, reduction == Reduction::Mean, output, total_weight);
  }
}

TORCH_IMPL_FUNC(nll_loss_backward_out)
(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
 int64_t reduction, int64_t ignore_index, const Tensor& total_weight, const Tensor& grad_input) {
  grad_input.zero_();
  if (target.numel() == 0) return;
  const Operands operands(self, target, weight);
  const NllLoss loss{operands.self, operands.target, operands.weight, ignore_index};
  const Tensor divisor = reduction == Reduction::Mean ? total_weight : Tensor();
  const Tensor dense = grad_input.is_contiguous() ? grad_input : at::empty_like(self).zero_();
  nll_backward_stub(self.device().type(), loss, grad_output, divisor,
                    dense.dim() == 1 ? dense.unsqueeze(0) : dense);
  if (!dense.is_same(grad_input)) const_cast<Tensor&>(grad_input).copy_(dense);
}

// -------------------- losses composed of it

Tensor nll_loss_symint(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                       int64_t reduction, c10::SymInt ignore_index) {
  return std::get<0>(at::nll_loss_forward(self, target, weight, reduction, ignore_index.expect_int()));
}

Tensor& nll_loss_out(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                     int64_t reduction, int64_t ignore_index, Tensor& out) {
  Tensor total_weight = at::empty({}, self.options());
  return std::get<0>(
      at::nll_loss_forward_outf(self, target, weight, reduction, ignore_index, out, total_weight));
}

// Dimensions after the classes are flattened to a plane.
Tensor nll_loss_nd_symint(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          int64_t reduction, c10::SymInt ignore_index) {
  TORCH_CHECK(self.dim() >= 1, "Expected 1 or more dimensions (got ", self.dim(), ")");
  const int64_t ignored = ignore_index.expect_int();
  TORCH_CHECK_VALUE(self.dim() == 1 || (target.dim() > 0 && self.sizes()[0] == target.sizes()[0]),
                    "Expected input batch_size (", self.sizes()[0], ") to match target batch_size (",
                    target.dim() > 0 ? target.sizes()[0] : 0, ").");
  if (self.dim() <= 2) return at::nll_loss(self, target, weight, reduction, ignored);
  if (self.dim() == 4) return at::nll_loss2d(self, target, weight, reduction, ignored);
  TORCH_CHECK(target.dim() == self.dim() - 1 && target.sizes().slice(1) == self.sizes().slice(2),
              "Expected target size of ", self.sizes(), " without its second dimension, got ",
              target.sizes());
  int64_t places = 1;
  for (int64_t d = 2; d < self.dim(); ++d) places *= self.sizes()[d];
  const int64_t batch = self.sizes()[0];
  const Tensor loss = at::nll_loss2d(self.reshape({batch, self.sizes()[1], 1, places}),
                                     target.reshape({batch, 1, places}), weight, reduction, ignored);
  return reduction == Reduction::None ? loss.view(target.sizes()) : loss;
}

}  // namespace at::native
