// Losses composed of other operators: cross_entropy_loss, binary_cross_entropy_with_logits.
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/add.h>
#include <ATen/ops/binary_cross_entropy_with_logits_native.h>
#include <ATen/ops/cross_entropy_loss_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/nll_loss_nd.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>

namespace at::native {

// -------------------- cross_entropy_loss

namespace {

struct CrossEntropy {
  Tensor log_probabilities;
  Tensor weight;  // undefined: ones
  int64_t class_dim, reduction;
  double label_smoothing;

  int64_t classes() const { return log_probabilities.sizes()[class_dim]; }
  bool is_weighted() const { return weight.defined(); }
  // The log probabilities, each times the weight of its class.
  Tensor weighted() const {
    if (!is_weighted()) return log_probabilities;
    DimVector shape(log_probabilities.dim(), 1);
    shape[class_dim] = weight.numel();
    return at::mul(log_probabilities, weight.reshape(shape));
  }
};

// The target is a probability per class.
Tensor of_probabilities(const CrossEntropy& given, const Tensor& target) {
  const double spread = given.label_smoothing / static_cast<double>(given.classes());
  const Tensor smooth =
      given.label_smoothing > 0 ? at::add(at::mul(target, 1 - given.label_smoothing), spread) : target;
  const Tensor loss = at::neg(at::mul(given.weighted(), smooth));
  if (given.reduction == Reduction::None) return at::sum(loss, given.class_dim);
  Tensor total = at::sum(loss);
  if (given.reduction == Reduction::Sum) return total;
  return at::div(total, static_cast<double>(loss.numel()) / static_cast<double>(given.classes()));
}

// The divisor of the mean over positions: their number, or the sum of their weights.
Tensor position_weights(const CrossEntropy& given, const Tensor& target, const Tensor& ignored) {
  const Tensor counted = at::logical_not(ignored);
  if (!given.is_weighted()) return at::sum(counted);
  const Tensor places = at::masked_fill(target, ignored, 0).reshape({target.numel()});
  return at::sum(at::mul(given.weight.index_select(0, places), counted.reshape({target.numel()})));
}

// Label smoothing: the target's class, and a share of the loss of every class.
Tensor with_smoothing(const CrossEntropy& given, const Tensor& target, int64_t ignore_index) {
  const Tensor hard =
      at::nll_loss_nd(given.log_probabilities, target, given.weight, given.reduction, ignore_index);
  const Tensor ignored = at::eq(target, ignore_index);
  Tensor smooth = at::masked_fill(at::neg(at::sum(given.weighted(), given.class_dim)), ignored, 0);
  if (given.reduction != Reduction::None) smooth = at::sum(smooth);
  if (given.reduction == Reduction::Mean) {
    smooth = at::div(smooth, position_weights(given, target, ignored));
  }
  const double spread = given.label_smoothing / static_cast<double>(given.classes());
  return at::add(at::mul(hard, 1 - given.label_smoothing), at::mul(smooth, spread));
}

}  // namespace

Tensor cross_entropy_loss_symint(const Tensor& self, const Tensor& target,
                                 const std::optional<Tensor>& weight, int64_t reduction,
                                 c10::SymInt ignore_index, double label_smoothing) {
  TORCH_CHECK(label_smoothing >= 0 && label_smoothing <= 1,
              "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  TORCH_CHECK(self.dim() > 0, "cross_entropy_loss: expected an input with dimensions, got a number");
  const int64_t class_dim = self.dim() == 1 ? 0 : 1, ignored = ignore_index.expect_int();
  const CrossEntropy given{at::log_softmax(self, class_dim, self.scalar_type()), weight.value_or(Tensor()),
                           class_dim, reduction, label_smoothing};
  if (self.sizes() == target.sizes()) {
    TORCH_CHECK(target.is_floating_point(),
                "Expected floating point type for target with class probabilities, got ",
                target.scalar_type());
    TORCH_CHECK(ignored < 0, "ignore_index is not supported for floating point target");
    TORCH_CHECK(!given.is_weighted() || (given.weight.dim() == 1 && given.weight.numel() == given.classes()),
                "cross_entropy: weight tensor should be defined either for all ", given.classes(),
                " classes or no classes but got weight tensor of shape: ", given.weight.sizes());
    return of_probabilities(given, target);
  }
  if (label_smoothing > 0) return with_smoothing(given, target, ignored);
  return at::nll_loss_nd(given.log_probabilities, target, weight, reduction, ignored);
}

// -------------------- binary_cross_entropy_with_logits

Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target,
                                        const std::optional<Tensor>& weight,
                                        const std::optional<Tensor>& pos_weight, int64_t reduction) {
  Tensor positive = at::log_sigmoid(self);
  if (pos_weight && pos_weight->defined()) {
    positive = at::mul(positive, at::add(at::mul(at::sub(*pos_weight, 1), target), 1));
  }
  Tensor loss = at::sub(at::mul(at::rsub(target, 1), self), positive);
  if (weight && weight->defined()) loss = at::mul(loss, *weight);
  if (reduction == Reduction::Mean) return at::mean(loss);
  return reduction == Reduction::Sum ? at::sum(loss) : loss;
}

}  // namespace at::native
