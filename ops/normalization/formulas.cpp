// Formulas of layer norm.
#include <ATen/ExpandUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/native/normalization/formulas.h>
#include <ATen/native/normalization/normalized_rows.h>

#include <ATen/ops/add.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

at::DimVector row_dims(const Tensor& input, SymIntArrayRef shape) {
  at::DimVector dims;
  for (int64_t dim = input.dim() - static_cast<int64_t>(shape.size()); dim < input.dim(); ++dim) {
    dims.push_back(dim);
  }
  return dims;
}

}  // namespace

Tensor layer_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                      const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean, const Tensor& rstd,
                      SymIntArrayRef normalized_shape) {
  const NormalizedRows rows(input_p, mean, rstd, row_dims(input_p, normalized_shape));
  Tensor tangent = times(rows.project(input_t).mul(rstd), weight_p);
  if (weight_t.defined()) tangent = tangent.add(rows.normalized.mul(weight_t));
  return plus(tangent, bias_t);
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_jvp(const Tensor& grad_out_p, const Tensor& grad_out_t,
                                                           const Tensor& input_p, const Tensor& input_t,
                                                           const Tensor& weight_p, const Tensor& weight_t,
                                                           const Tensor& rstd,
                                                           SymIntArrayRef normalized_shape,
                                                           std::array<bool, 3> output_mask) {
  const at::DimVector dims = row_dims(input_p, normalized_shape);
  const NormalizedRows rows(input_p, input_p.mean(dims, /*keepdim=*/true), rstd, dims);
  const Tensor normalized_t = rows.project(input_t).mul(rstd);
  Tensor of_input, of_weight, of_bias;
  if (output_mask[0]) {
    const Tensor scaled = times(grad_out_p, weight_p);
    Tensor scaled_t = times(grad_out_t, weight_p);
    if (weight_t.defined()) scaled_t = scaled_t.add(grad_out_p.mul(weight_t));
    const Tensor growth = rows.mean(rows.normalized.mul(input_t)).mul(rstd);  // of the row, relative
    const Tensor bent = normalized_t.mul(rows.mean(scaled.mul(rows.normalized)))
                            .add(rows.normalized.mul(rows.mean(scaled.mul(normalized_t))));
    of_input = rows.project(scaled_t).sub(bent).sub(rows.project(scaled).mul(growth)).mul(rstd);
  }
  const auto summed = [&](const Tensor& t) {
    return at::sum_to(t, C10_AS_INTARRAYREF_SLOW(normalized_shape));
  };
  if (output_mask[1]) {
    of_weight = summed(grad_out_t.mul(rows.normalized).add(grad_out_p.mul(normalized_t)));
  }
  if (output_mask[2]) of_bias = summed(grad_out_t);
  return {of_input, of_weight, of_bias};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& mean, const Tensor& rstd,
    SymIntArrayRef normalized_shape, std::array<bool, 3> wanted) {
  Tensor of_input, of_weight, of_grad_out, through_row;
  const NormalizedRows rows(input, mean, rstd, row_dims(input, normalized_shape));
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
