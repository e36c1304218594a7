// native_group_norm on the CPU, and its gradients. Statistics and factors are in double.
#include <ATen/native/normalization/group_norm.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/normalization/channel_norm.h>
#include <ATen/native/normalization/channel_values.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace at::native {

namespace {

using Values = ChannelValues;

bool is_channels_last(const GroupNormShape& shape) { return shape.format != MemoryFormat::Contiguous; }

// The channels of each sample.
ChannelShape channels_of(const GroupNormShape& shape) {
  if (is_channels_last(shape)) return {shape.samples, shape.inner, shape.channels, 1};
  return {1, 1, shape.samples * shape.channels, shape.inner};
}

// One mean and reciprocal standard deviation for each sample and group.
struct GroupStatistics {
  Values mean, rstd;

  explicit GroupStatistics(int64_t n) : mean(n), rstd(n) {}
};

// The groups' moments from their channels' moments.
void merge_channels(const GroupNormShape& shape, const Values& mean, const Values& squares,
                    GroupStatistics& groups) {
  const int64_t together = shape.channels / shape.groups;
  for (size_t k = 0; k < groups.mean.size(); ++k) {
    const double *means = mean.data() + k * together, *sums = squares.data() + k * together;
    double sum = 0;
    for (int64_t c = 0; c < together; ++c) sum += means[c];
    groups.mean[k] = sum / static_cast<double>(together);
    for (int64_t c = 0; c < together; ++c) {
      const double step = means[c] - groups.mean[k];
      groups.rstd[k] += sums[c] + step * step * static_cast<double>(shape.inner);
    }
  }
}

GroupStatistics group_statistics(const Tensor& x, const GroupNormShape& shape, double eps) {
  GroupStatistics found(shape.samples * shape.groups);
  if (x.numel() == 0) {
    found.rstd.assign(found.rstd.size(), std::numeric_limits<double>::quiet_NaN());
    return found;
  }
  if (is_channels_last(shape)) {
    Values mean(shape.samples * shape.channels), squares(mean.size());
    channel_moments_stub(kCPU, x, channels_of(shape), mean.data(), squares.data());
    merge_channels(shape, mean, squares, found);
  } else {
    const ChannelShape groups{1, 1, shape.samples * shape.groups, shape.elements_per_group()};
    channel_moments_stub(kCPU, x, groups, found.mean.data(), found.rstd.data());
  }
  for (double& rstd : found.rstd) {
    rstd = 1 / std::sqrt(rstd / static_cast<double>(shape.elements_per_group()) + eps);
  }
  return found;
}

// Expands a value per sample and group to each of the group's channels.
Values for_each_channel(const Values& groups, const GroupNormShape& shape) {
  Values result(shape.samples * shape.channels);
  const int64_t together = shape.channels / shape.groups;
  for (size_t k = 0; k < groups.size() && together > 0; ++k) {
    std::fill_n(result.begin() + static_cast<int64_t>(k) * together, together, groups[k]);
  }
  return result;
}

// Expands a value per channel to each sample.
Values for_each_sample(const Values& channels, const GroupNormShape& shape) {
  Values result(shape.samples * shape.channels);
  for (int64_t n = 0; n < shape.samples && !result.empty(); ++n) {
    std::copy(channels.begin(), channels.end(), result.begin() + n * shape.channels);
  }
  return result;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> group_norm_cpu(const Tensor& input,
                                                  const std::optional<Tensor>& weight_opt,
                                                  const std::optional<Tensor>& bias_opt, int64_t N, int64_t C,
                                                  int64_t HxW, int64_t group, double eps) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &bias}));
  check_group_norm_parameter("weight", weight, C, input);
  check_group_norm_parameter("bias", bias, C, input);
  const Tensor x = input.contiguous(shape.format);
  const GroupStatistics statistics = group_statistics(x, shape, eps);

  Tensor output = at::empty_like(x, shape.format);
  if (x.numel() > 0) {
    const Values means = for_each_channel(statistics.mean, shape),
                 factors = for_each_sample(channel_values(weight, C, 1), shape),
                 shift = for_each_sample(channel_values(bias, C, 0), shape);
    Values scale = for_each_channel(statistics.rstd, shape);
    for (size_t k = 0; k < scale.size(); ++k) scale[k] *= factors[k];
    const ChannelScaling scaling{means.data(), scale.data(), shift.data()};
    scale_channels_stub(kCPU, x, channels_of(shape), scaling, output);
  }
  return {std::move(output), tensor_of(statistics.mean, {N, group}, shape.dtype),
          tensor_of(statistics.rstd, {N, group}, shape.dtype)};
}

namespace {

// The gradient of x, including that of its group's mean and variance. `mean` has a value for each channel of
// each sample, `rstd` one for each sample and group.
Tensor input_gradient(const Tensor& grad, const Tensor& x, const GroupNormShape& shape, const Values& weight,
                      const Values& mean, const Values& rstd, const Values& sum, const Values& product) {
  Tensor grad_x = at::empty_like(x);
  if (x.numel() == 0) return grad_x;
  Values by_grad(sum.size()), by_x(sum.size()), shift(sum.size());
  const size_t together = static_cast<size_t>(shape.channels / shape.groups);
  const double n = static_cast<double>(shape.elements_per_group());
  for (size_t group = 0; group < rstd.size(); ++group) {
    const size_t first = group * together;
    const double *weights = weight.data() + first % weight.size(), factor = rstd[group];
    double group_sum = 0, group_product = 0;
    for (size_t k = 0; k < together; ++k) {
      group_sum += weights[k] * sum[first + k];
      group_product += weights[k] * product[first + k];
    }
    const double stretch = -factor * factor * factor * group_product / n, move = -factor * group_sum / n;
    for (size_t k = 0; k < together; ++k) {
      by_grad[first + k] = factor * weights[k];
      by_x[first + k] = stretch;
      shift[first + k] = move;
    }
  }
  const ChannelGradient factors{mean.data(), by_grad.data(), by_x.data(), shift.data()};
  channel_gradient_stub(kCPU, grad, x, channels_of(shape), factors, grad_x);
  return grad_x;
}

// Summed over the samples.
Tensor parameter_gradient(const Values& of_samples, const GroupNormShape& shape) {
  Values sums(shape.channels);
  for (int64_t n = 0; n < shape.samples && !sums.empty(); ++n) {
    for (int64_t c = 0; c < shape.channels; ++c) sums[c] += of_samples[n * shape.channels + c];
  }
  return tensor_of(sums, {shape.channels}, shape.dtype);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> group_norm_backward_cpu(const Tensor& grad_out, const Tensor& input,
                                                           const Tensor& mean, const Tensor& rstd,
                                                           const std::optional<Tensor>& weight_opt, int64_t N,
                                                           int64_t C, int64_t HxW, int64_t group,
                                                           std::array<bool, 3> output_mask) {
  const Tensor weight = weight_opt.value_or(Tensor());
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &mean, &rstd}));
  check_group_norm_gradient(grad_out, input, mean, rstd, shape);
  check_group_norm_parameter("weight", weight, C, input);
  const Tensor x = input.contiguous(shape.format), grad = grad_out.contiguous(shape.format);
  const Values means = for_each_channel(channel_values(mean, N * group, 0), shape),
               rstds = channel_values(rstd, N * group, 0);
  Values sum(N * C), product(N * C);
  if (x.numel() > 0) {
    channel_gradient_sums_stub(kCPU, grad, x, channels_of(shape), means.data(), sum.data(), product.data());
  }
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) {
    std::get<0>(result) =
        input_gradient(grad, x, shape, channel_values(weight, C, 1), means, rstds, sum, product);
  }
  if (output_mask[1]) {
    for (size_t k = 0, together = static_cast<size_t>(C / group); k < product.size(); k += together) {
      for (size_t c = 0; c < together; ++c) product[k + c] *= rstds[k / together];
    }
    std::get<1>(result) = parameter_gradient(product, shape);
  }
  if (output_mask[2]) std::get<2>(result) = parameter_gradient(sum, shape);
  return result;
}

}  // namespace at::native
