// Formulas of batch norm, of group norm, and of rms_norm.
#include <ATen/ExpandUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/native/normalization/formulas.h>
#include <ATen/native/normalization/normalized_rows.h>
#include <c10/core/GradMode.h>
#include <c10/util/accumulate.h>

#include <ATen/ops/_fused_rms_norm_backward.h>
#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_group_norm_backward.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

namespace torch::inline C10_ABI::autograd::generated::details {

// -------------------- Batch norm

namespace {

// A batch, with per-channel values reshaped to broadcast to it.
struct Batch {
  at::DimVector dims, channel_shape;
  Tensor mean, invstd;

  Batch(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const Tensor& saved_mean,
        const Tensor& saved_invstd, bool train, double eps) {
    for (int64_t d = 0; d < input.dim(); ++d) {
      if (d != 1) dims.push_back(d);
      channel_shape.push_back(d == 1 ? input.size(1) : 1);
    }
    mean = of_channels(train ? saved_mean : running_mean);
    invstd = of_channels(train ? saved_invstd : running_var.add(eps).rsqrt());
  }

  Tensor of_channels(const Tensor& t) const { return t.defined() ? t.reshape(channel_shape) : t; }
  Tensor sum(const Tensor& t) const { return t.sum(dims, /*keepdim=*/false); }
  NormalizedRows rows(const Tensor& input) const { return {input, mean, invstd, dims}; }
};

}  // namespace

Tensor batch_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                      const Tensor& weight_t, const Tensor& bias_t, const std::optional<Tensor>& running_mean,
                      const std::optional<Tensor>& running_var, const Tensor& saved_mean,
                      const Tensor& saved_invstd, bool train, double eps) {
  const Batch batch(input_p, running_mean.value_or(Tensor()), running_var.value_or(Tensor()), saved_mean,
                    saved_invstd, train, eps);
  const NormalizedRows rows = batch.rows(input_p);
  const Tensor free = train ? rows.project(input_t) : input_t;
  Tensor tangent = times(free.mul(batch.invstd), batch.of_channels(weight_p));
  if (weight_t.defined()) tangent = tangent.add(rows.normalized.mul(batch.of_channels(weight_t)));
  return plus(tangent, batch.of_channels(bias_t)).to(input_p.scalar_type());
}

std::tuple<Tensor, Tensor, Tensor> batchnorm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& running_mean, const Tensor& running_var,
    bool train, double eps, const Tensor& saved_mean, const Tensor& saved_invstd,
    std::array<bool, 3> wanted) {
  const Batch batch(input, running_mean, running_var, saved_mean, saved_invstd, train, eps);
  const NormalizedRows rows = batch.rows(input);
  const Tensor scale = batch.of_channels(weight), by_weight = batch.of_channels(grad_of_weight);
  Tensor of_input, of_weight, of_grad_out, through;
  if (grad_of_input.defined()) {
    through = (train ? rows.project(grad_of_input) : grad_of_input).mul(batch.invstd);
  }
  const Tensor of_normalized = by_weight.defined() ? grad_out.mul(by_weight) : Tensor();
  if (wanted[0] && train && (through.defined() || of_normalized.defined())) {
    of_input =
        second_input_gradient(rows, batch.invstd, times(grad_out, scale), grad_of_input, of_normalized);
  } else if (wanted[0] && of_normalized.defined()) {
    of_input = of_normalized.mul(batch.invstd);
  }
  if (wanted[1] && through.defined()) of_weight = batch.sum(grad_out.mul(through));
  if (wanted[2]) {
    if (through.defined()) of_grad_out = times(through, scale);
    if (by_weight.defined()) of_grad_out = plus(of_grad_out, rows.normalized.mul(by_weight));
    if (grad_of_bias.defined()) {
      of_grad_out = plus(of_grad_out, batch.of_channels(grad_of_bias).expand(grad_out.sizes()));
    }
  }
  return {of_input, of_weight, of_grad_out};
}

// -------------------- Group norm

namespace {

// An input as [samples, groups, elements of a group], and as [samples, channels, elements of a channel].
struct Groups {
  int64_t samples, channels, inner, groups;

  Tensor grouped(const Tensor& t) const { return t.reshape({samples, groups, channels / groups * inner}); }
  Tensor by_channel(const Tensor& t) const { return t.reshape({samples, channels, inner}); }
  Tensor statistic(const Tensor& t) const { return t.reshape({samples, groups, 1}); }
  Tensor parameter(const Tensor& t) const { return t.defined() ? t.reshape({1, channels, 1}) : t; }
  double elements_per_group() const {
    const int64_t channels_per_group = channels / groups;
    return static_cast<double>(channels_per_group * inner);
  }
  NormalizedRows rows(const Tensor& input, const Tensor& mean, const Tensor& rstd) const {
    return {grouped(input), statistic(mean), statistic(rstd), {2}};
  }
};

Groups groups_of(const Tensor& input, int64_t groups) {
  int64_t inner = 1;
  for (int64_t d = 2; d < input.dim(); ++d) inner *= input.size(d);
  return {input.size(0), input.size(1), inner, groups};
}

// By the input, for the gradients of the output, the means and the reciprocal standard deviations.
Tensor group_norm_input_gradient(const Tensor& grad, const Tensor& grad_mean, const Tensor& grad_rstd,
                                 const Tensor& input, const Tensor& rstd_of_groups, const Tensor& weight,
                                 const Groups& shape, const NormalizedRows& rows) {
  const Tensor rstd = shape.statistic(rstd_of_groups);
  Tensor result;
  if (grad.defined()) {
    const Tensor scaled = times(shape.by_channel(grad), shape.parameter(weight));
    result = rows.project(shape.grouped(scaled)).mul(rstd);
  }
  if (grad_mean.defined()) {
    const Tensor each = shape.statistic(grad_mean).div(shape.elements_per_group());
    result = plus(result, each.expand(rows.normalized.sizes()));
  }
  if (grad_rstd.defined()) {
    const Tensor each = shape.statistic(grad_rstd).mul(rstd).mul(rstd).div(shape.elements_per_group());
    result = plus(result, rows.normalized.mul(each).neg());
  }
  return result.defined() ? result.reshape(input.sizes()).to(input.scalar_type()) : result;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> group_norm_backward(const Tensor& grad, const Tensor& grad_mean,
                                                       const Tensor& grad_rstd, const Tensor& input,
                                                       const Tensor& mean, const Tensor& rstd,
                                                       const Tensor& weight, const SymInt& N, const SymInt& C,
                                                       const SymInt& HxW, int64_t group,
                                                       std::array<bool, 3> wanted) {
  const Groups shape{N.expect_int(), C.expect_int(), HxW.expect_int(), group};
  if (!grad.defined() && !grad_mean.defined() && !grad_rstd.defined()) return {};
  if (!c10::GradMode::is_enabled() && !grad_mean.defined() && !grad_rstd.defined()) {
    return at::native_group_norm_backward(grad, input, mean, rstd, weight, shape.samples, shape.channels,
                                          shape.inner, group, wanted);
  }
  const NormalizedRows rows = shape.rows(input, mean, rstd);
  std::tuple<Tensor, Tensor, Tensor> result;
  if (wanted[0]) {
    std::get<0>(result) =
        group_norm_input_gradient(grad, grad_mean, grad_rstd, input, rstd, weight, shape, rows);
  }
  if (!grad.defined()) return result;
  const ScalarType parameters = weight.defined() ? weight.scalar_type() : mean.scalar_type();
  const Tensor by_channel = shape.by_channel(grad);
  if (wanted[1]) {
    const Tensor product = by_channel.mul(shape.by_channel(rows.normalized));
    std::get<1>(result) = product.sum(IntArrayRef{0, 2}, /*keepdim=*/false).to(parameters);
  }
  if (wanted[2]) std::get<2>(result) = by_channel.sum(IntArrayRef{0, 2}, /*keepdim=*/false).to(parameters);
  return result;
}

Tensor group_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                      const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean, const Tensor& rstd,
                      int64_t groups) {
  const Groups shape = groups_of(input_p, groups);
  const NormalizedRows rows = shape.rows(input_p, mean, rstd);
  const Tensor normalized_t = rows.project(shape.grouped(input_t)).mul(shape.statistic(rstd));
  Tensor tangent = times(shape.by_channel(normalized_t), shape.parameter(weight_p));
  if (weight_t.defined()) {
    tangent = tangent.add(shape.by_channel(rows.normalized).mul(shape.parameter(weight_t)));
  }
  return plus(tangent, shape.parameter(bias_t)).reshape(input_p.sizes()).to(input_p.scalar_type());
}

Tensor group_norm_mean_jvp(const Tensor& input_t, const Tensor& mean, int64_t groups) {
  return groups_of(input_t, groups)
      .grouped(input_t)
      .mean(IntArrayRef{2}, /*keepdim=*/false)
      .to(mean.scalar_type());
}

Tensor group_norm_invstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& mean,
                             const Tensor& rstd, int64_t groups) {
  const Groups shape = groups_of(input_p, groups);
  const NormalizedRows rows = shape.rows(input_p, mean, rstd);
  const Tensor along = rows.mean(rows.normalized.mul(shape.grouped(input_t))).reshape(rstd.sizes());
  return along.mul(rstd).mul(rstd).neg().to(rstd.scalar_type());
}

// -------------------- rms_norm

namespace {

at::DimVector last_dims(const Tensor& input, IntArrayRef shape) {
  at::DimVector dims;
  for (int64_t d = input.dim() - static_cast<int64_t>(shape.size()); d < input.dim(); ++d) dims.push_back(d);
  return dims;
}

}  // namespace

std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& grad_rstd, const Tensor& input,
                                             IntArrayRef normalized_shape, const Tensor& rstd,
                                             const Tensor& weight, std::array<bool, 2> wanted) {
  if (!grad.defined() && !grad_rstd.defined()) return {};
  if (!c10::GradMode::is_enabled() && !grad_rstd.defined()) {
    return at::_fused_rms_norm_backward(grad, input, normalized_shape, rstd, weight, wanted);
  }
  const at::DimVector dims = last_dims(input, normalized_shape);
  const auto row_mean = [&](const Tensor& t) { return t.mean(dims, /*keepdim=*/true); };
  const Tensor normalized = input.mul(rstd);
  Tensor of_input, of_weight;
  if (grad.defined()) {
    const Tensor scaled = times(grad, weight);
    of_input = scaled.sub(normalized.mul(row_mean(scaled.mul(normalized)))).mul(rstd);
    if (wanted[1]) of_weight = grad.mul(normalized);
  }
  if (grad_rstd.defined()) {
    const double n = static_cast<double>(c10::multiply_integers(normalized_shape));
    of_input = plus(of_input, normalized.mul(grad_rstd.mul(rstd).mul(rstd).div(n)).neg());
  }
  if (of_weight.defined()) of_weight = at::sum_to(of_weight, normalized_shape).to(weight.scalar_type());
  return {wanted[0] ? of_input.to(input.scalar_type()) : Tensor(), of_weight};
}

Tensor rms_norm_rstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& rstd,
                         IntArrayRef normalized_shape) {
  const Tensor along = input_p.mul(input_t).mean(last_dims(input_p, normalized_shape), /*keepdim=*/true);
  return along.mul(rstd).mul(rstd).mul(rstd).neg();
}

Tensor rms_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                    const Tensor& weight_t, const Tensor& rstd, IntArrayRef normalized_shape) {
  const Tensor rstd_t = rms_norm_rstd_jvp(input_p, input_t, rstd, normalized_shape);
  Tensor tangent = times(input_t.mul(rstd).add(input_p.mul(rstd_t)), weight_p);
  if (weight_t.defined()) tangent = tangent.add(input_p.mul(rstd).mul(weight_t));
  return tangent.to(input_p.scalar_type());
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
