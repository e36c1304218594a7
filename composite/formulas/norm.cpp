// Formulas of layer norm. With the statistics of a row, x' = (x - mean) * rstd, and all derivatives of x' by
// x are made of one symmetric map of the row: v -> v - mean(v) - x' * mean(v * x').
#include <ATen/core/DimVector.h>
#include <ATen/native/formulas/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sub.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

class NormalizedRows {
 public:
  NormalizedRows(const Tensor& input, const Tensor& mean, const Tensor& rstd, SymIntArrayRef shape)
      : normalized(input.sub(mean).mul(rstd)) {
    for (int64_t dim = input.dim() - static_cast<int64_t>(shape.size()); dim < input.dim(); ++dim) {
      dims_.push_back(dim);
    }
  }

  Tensor mean(const Tensor& t) const { return t.mean(dims_, /*keepdim=*/true); }
  /// What of `t` neither moves the row nor stretches it.
  Tensor project(const Tensor& t) const {
    return t.sub(mean(t)).sub(normalized.mul(mean(t.mul(normalized))));
  }

  const Tensor normalized;

 private:
  at::DimVector dims_;
};

// a + b, where an undefined tensor is zero.
Tensor plus(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? a.add(b) : a;
}

Tensor times(const Tensor& a, const Tensor& b) { return b.defined() ? a.mul(b) : a; }

}  // namespace

Tensor layer_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                      const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean, const Tensor& rstd,
                      SymIntArrayRef normalized_shape) {
  const NormalizedRows rows(input_p, mean, rstd, normalized_shape);
  Tensor tangent = times(rows.project(input_t).mul(rstd), weight_p);
  if (weight_t.defined()) tangent = tangent.add(rows.normalized.mul(weight_t));
  return plus(tangent, bias_t);
}

namespace {

// Of sum(grad_of_input * rstd * project(scaled)) + sum(of_normalized * x'), by x.
Tensor second_input_gradient(const NormalizedRows& rows, const Tensor& rstd, const Tensor& scaled,
                             const Tensor& grad_of_input, const Tensor& of_normalized) {
  if (!grad_of_input.defined()) return rows.project(of_normalized).mul(rstd);
  const Tensor stretch = rows.mean(scaled.mul(rows.normalized));
  const Tensor moved = rows.mean(grad_of_input.mul(rows.normalized));
  const Tensor bent = grad_of_input.mul(stretch).add(scaled.mul(moved)).mul(rstd).neg();
  const Tensor by_rstd = rows.mean(grad_of_input.mul(rows.project(scaled))).mul(rstd);
  return rows.project(plus(of_normalized, bent)).sub(rows.normalized.mul(by_rstd)).mul(rstd);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> layer_norm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& mean, const Tensor& rstd,
    SymIntArrayRef normalized_shape, std::array<bool, 3> wanted) {
  Tensor of_input, of_weight, of_grad_out, through_row;
  const NormalizedRows rows(input, mean, rstd, normalized_shape);
  if (grad_of_input.defined()) through_row = rows.project(grad_of_input).mul(rstd);
  if (wanted[0] && (grad_of_input.defined() || grad_of_weight.defined())) {
    const Tensor of_normalized = grad_of_weight.defined() ? grad_out.mul(grad_of_weight) : Tensor();
    of_input = second_input_gradient(rows, rstd, times(grad_out, weight), grad_of_input, of_normalized);
  }
  if (wanted[1] && grad_of_input.defined()) of_weight = grad_out.mul(through_row);
  if (wanted[2]) {
    if (grad_of_input.defined()) of_grad_out = times(through_row, weight);
    if (grad_of_weight.defined()) of_grad_out = plus(of_grad_out, rows.normalized.mul(grad_of_weight));
    if (grad_of_bias.defined()) of_grad_out = plus(of_grad_out, grad_of_bias.expand(grad_out.sizes()));
  }
  return {of_input, of_weight, of_grad_out};
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
