// Margin losses: soft_margin_loss, multi_margin_loss, multilabel_margin_loss and those of embeddings.
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/loss/reduction.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/all.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/hinge_embedding_loss_native.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/item.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/margin_ranking_loss_native.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/multi_margin_loss.h>
#include <ATen/ops/multi_margin_loss_backward.h>
#include <ATen/ops/multi_margin_loss_backward_native.h>
#include <ATen/ops/multi_margin_loss_native.h>
#include <ATen/ops/multilabel_margin_loss_backward.h>
#include <ATen/ops/multilabel_margin_loss_backward_native.h>
#include <ATen/ops/multilabel_margin_loss_forward.h>
#include <ATen/ops/multilabel_margin_loss_forward_native.h>
#include <ATen/ops/multilabel_margin_loss_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/soft_margin_loss.h>
#include <ATen/ops/soft_margin_loss_backward.h>
#include <ATen/ops/soft_margin_loss_backward_native.h>
#include <ATen/ops/soft_margin_loss_native.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <tuple>

namespace at::native {

namespace {

Tensor at_least_zero(const Tensor& t) { return at::clamp(t, 0); }

}  // namespace

// -------------------- Pairs

Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                           int64_t reduction) {
  const Tensor wrong = at::mul(at::neg(target), at::sub(input1, input2));
  return apply_loss_reduction(at_least_zero(at::add(wrong, margin)), reduction);
}

// The target is 1 or -1; anything else counts as both.
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction) {
  const Tensor nothing = at::zeros_like(self), below = at_least_zero(at::rsub(self, margin));
  const Tensor dissimilar = at::where(at::ne(target, 1), below, nothing);
  const Tensor similar = at::where(at::ne(target, -1), self, nothing);
  return apply_loss_reduction(at::add(dissimilar, similar), reduction);
}

// -------------------- soft_margin_loss: log(1 + exp(-target * self))

Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  TORCH_CHECK(isFloatingType(self.scalar_type()) || isComplexType(self.scalar_type()),
              "soft_margin_loss: result type Float can't be cast to the desired output type ",
              self.scalar_type());
  return apply_loss_reduction(at::softplus(at::mul(at::neg(target), self), /*beta=*/1, /*threshold=*/100),
                              reduction);
}

Tensor& soft_margin_loss_out(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  return write_result("soft_margin_loss", out, at::soft_margin_loss(self, target, reduction));
}

Tensor soft_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                 int64_t reduction) {
  const Tensor opposite = at::neg(target), slope = at::mul(opposite, at::sigmoid(at::mul(opposite, self)));
  const Tensor gradient = at::mul(slope, grad_output);
  return reduction == Reduction::Mean ? at::div(gradient, self.numel()) : gradient;
}

Tensor& soft_margin_loss_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                      int64_t reduction, Tensor& grad_input) {
  return write_result("soft_margin_loss_backward", grad_input,
                      at::soft_margin_loss_backward(grad_output, self, target, reduction));
}

// -------------------- multi_margin_loss: each class against the target's

namespace {

struct MultiMargin {
  Tensor self, target, weight;  // [rows, classes], [rows], each row's weight or undefined
  int64_t p;
  Scalar margin;

  int64_t classes() const { return self.size(1); }
  Tensor column() const { return at::unsqueeze(target, 1); }
  // How far each class exceeds the target's minus the margin; negative where it doesn't. The target's own
  // entry is ignored.
  Tensor excess() const {
    const Tensor chosen = at::gather(self, 1, column());
    const Tensor above = at_least_zero(at::add(at::sub(self, chosen), margin));
    return at::scatter(above, 1, column(), 0);
  }
  Tensor weighted(const Tensor& t) const {
    return weight.defined() ? at::mul(t, at::unsqueeze(weight, 1)) : t;
  }
};

MultiMargin multi_margin(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const std::optional<Tensor>& weight) {
  const int64_t power = p.toLong();
  TORCH_CHECK(power == 1 || power == 2, "only p == 1 and p == 2 supported, got ", p.toDouble());
  TORCH_CHECK(
      self.dim() <= 2 && (self.dim() < 2 || self.size(1) != 0) && (self.dim() != 1 || self.size(0) != 0),
      "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  TORCH_CHECK(isFloatingType(self.scalar_type()), "multi_margin_loss: not implemented for ",
              self.scalar_type());
  TORCH_CHECK(target.scalar_type() == kLong, "expected scalar type Long but found ", target.scalar_type());
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1), rows = self.dim() == 2 ? self.size(0) : 1;
  TORCH_CHECK(target.dim() <= 1 && target.numel() == rows,
              "multi_margin_loss: target tensor should be 1-D with ",
              "size equal to the number of input samples (batch size). Expected target size [", rows,
              "], but got ", target.sizes(), ". Input has shape ", self.sizes(), ".");
  const Tensor places = target.reshape({rows});
  Tensor of_rows;
  if (weight && weight->defined()) {
    TORCH_CHECK(weight->dim() <= 1 && weight->numel() == classes, "inconsistent weight size, expected ",
                classes, " but got ", weight->sizes());
    TORCH_CHECK(weight->scalar_type() == self.scalar_type(), "expected weight of dtype ", self.scalar_type(),
                ", got ", weight->scalar_type());
    of_rows = at::index_select(weight->reshape({classes}), 0, places);
  }
  return {self.reshape({rows, classes}), places, of_rows, power, margin};
}

}  // namespace

Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const std::optional<Tensor>& weight, int64_t reduction) {
  const MultiMargin given = multi_margin(self, target, p, margin, weight);
  const Tensor excess = given.excess();
  const Tensor cost = given.weighted(given.p == 1 ? excess : at::mul(excess, excess));
  const Tensor loss = at::div(at::sum(cost, 1), given.classes());
  if (reduction == Reduction::None && target.dim() == 0) return loss.reshape({});
  return apply_loss_reduction(loss, reduction);
}

Tensor& multi_margin_loss_out(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                              const std::optional<Tensor>& weight, int64_t reduction, Tensor& out) {
  return write_result("multi_margin_loss", out,
                      at::multi_margin_loss(self, target, p, margin, weight, reduction));
}

Tensor multi_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                  const Scalar& p, const Scalar& margin, const std::optional<Tensor>& weight,
                                  int64_t reduction) {
  const MultiMargin given = multi_margin(self, target, p, margin, weight);
  const int64_t rows = given.self.size(0);
  const Tensor excess = given.excess();
  const Tensor slope =
      given.weighted(given.p == 1 ? at::gt(excess, 0).to(self.scalar_type()) : at::mul(excess, 2));
  const Tensor gradient = at::scatter(slope, 1, given.column(), at::neg(at::sum(slope, 1, /*keepdim=*/true)));
  const double share = static_cast<double>(given.classes()) *
                       static_cast<double>(reduction == Reduction::Mean && rows > 0 ? rows : 1);
  TORCH_CHECK(grad_output.numel() == 1 || grad_output.numel() == rows,
              "multi_margin_loss_backward: expected a grad_output of one element or of ", rows, ", got ",
              grad_output.sizes());
  const Tensor factor =
      grad_output.numel() == 1 ? grad_output.reshape({1, 1}) : grad_output.reshape({rows, 1});
  return at::mul(at::div(gradient, share), factor).reshape(self.sizes());
}

Tensor& multi_margin_loss_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       const Scalar& p, const Scalar& margin,
                                       const std::optional<Tensor>& weight, int64_t reduction,
                                       Tensor& grad_input) {
  return write_result(
      "multi_margin_loss_backward", grad_input,
      at::multi_margin_loss_backward(grad_output, self, target, p, margin, weight, reduction));
}

// -------------------- multilabel_margin_loss: each class that is no label against each label

namespace {

// A row's labels end at the first -1.
struct LabelRows {
  Tensor self, label, valid;  // [rows, classes], all of them
  Tensor is_label;            // of self's dtype

  // self[other] - self[label] + 1 where that is positive, by (row, label, other).
  Tensor excess() const {
    const Tensor chosen = at::gather(self, 1, label);
    const Tensor above = at_least_zero(at::add(at::sub(at::unsqueeze(self, 1), at::unsqueeze(chosen, 2)), 1));
    const Tensor counted = at::mul(at::unsqueeze(valid, 2), at::unsqueeze(at::rsub(is_label, 1), 1));
    return at::mul(above, counted);
  }
};

LabelRows labels_of(const Tensor& self, const Tensor& target) {
  TORCH_CHECK(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) != 0),
              "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  TORCH_CHECK(target.sizes() == self.sizes() || (self.numel() == 1 && target.numel() == 1),
              "inconsistent target size: ", target.sizes(), " for input of size: ", self.sizes());
  TORCH_CHECK(target.scalar_type() == kLong, "expected scalar type Long but found ", target.scalar_type());
  TORCH_CHECK(isFloatingType(self.scalar_type()), "multilabel_margin_loss: not implemented for ",
              self.scalar_type());
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1), rows = self.dim() == 2 ? self.size(0) : 1;
  const Tensor x = self.reshape({rows, classes}), given = target.reshape({rows, classes});
  if (target.device().is_cpu() && target.numel() > 0) {
    TORCH_CHECK(at::ge(given, -1).all().item().toBool() && at::lt(given, classes).all().item().toBool(),
                "multilabel_margin_loss: argument 'target' is out of range: labels must be in [-1, ", classes,
                ")");
  }
  const Tensor ended = at::cumsum(at::lt(given, 0).to(kLong), 1), open = at::eq(ended, 0);
  const Tensor label = at::masked_fill(given, at::eq(open, false), 0), valid = open.to(self.scalar_type());
  const Tensor times = at::scatter_add(at::zeros_like(x), 1, label, valid);
  return {x, label, valid, at::gt(times, 0).to(self.scalar_type())};
}

}  // namespace

std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target,
                                                          int64_t reduction) {
  const LabelRows labels = labels_of(self, target);
  const Tensor loss = at::div(at::sum(labels.excess(), {1, 2}), labels.self.size(1));
  const bool single = self.dim() < 2;
  const Tensor output =
      reduction == Reduction::None && single ? loss.reshape({}) : apply_loss_reduction(loss, reduction);
  return {output, labels.is_label.reshape(target.sizes())};
}

std::tuple<Tensor&, Tensor&> multilabel_margin_loss_forward_out(const Tensor& self, const Tensor& target,
                                                                int64_t reduction, Tensor& output,
                                                                Tensor& is_target) {
  const auto [loss, labels] = at::multilabel_margin_loss_forward(self, target, reduction);
  write_result("multilabel_margin_loss", output, loss);
  write_result("multilabel_margin_loss", is_target, labels);
  return {output, is_target};
}

Tensor multilabel_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       int64_t reduction, const Tensor& is_target) {
  TORCH_CHECK(is_target.numel() == self.numel(), "inconsistent is_target size: ", is_target.sizes(),
              " for input of size: ", self.sizes());
  const LabelRows labels = labels_of(self, target);
  const int64_t rows = labels.self.size(0);
  const Tensor counted = at::gt(labels.excess(), 0).to(self.scalar_type());
  const Tensor slope = at::scatter_add(at::sum(counted, 1), 1, labels.label, at::neg(at::sum(counted, 2)));
  TORCH_CHECK(grad_output.numel() == 1 || grad_output.numel() == rows,
              "multilabel_margin_loss_backward: expected a grad_output of one element or of ", rows, ", got ",
              grad_output.sizes());
  const double share = static_cast<double>(labels.self.size(1)) *
                       static_cast<double>(reduction == Reduction::Mean && rows > 0 ? rows : 1);
  const Tensor factor =
      grad_output.numel() == 1 ? grad_output.reshape({1, 1}) : grad_output.reshape({rows, 1});
  return at::mul(at::div(slope, share), factor).reshape(self.sizes());
}

Tensor& multilabel_margin_loss_backward_out(const Tensor& grad_output, const Tensor& self,
                                            const Tensor& target, int64_t reduction, const Tensor& is_target,
                                            Tensor& grad_input) {
  return write_result("multilabel_margin_loss_backward", grad_input,
                      at::multilabel_margin_loss_backward(grad_output, self, target, reduction, is_target));
}

Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return std::get<0>(at::multilabel_margin_loss_forward(self, target, reduction));
}

Tensor& multilabel_margin_loss_out(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  Tensor is_target = at::empty_like(target, self.options());
  return std::get<0>(at::multilabel_margin_loss_forward_outf(self, target, reduction, out, is_target));
}

}  // namespace at::native
